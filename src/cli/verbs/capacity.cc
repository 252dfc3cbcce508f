#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/simulate_arguments.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"
#include "study/options/capacity_options.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct CapacityArguments {
  SimulateArguments simulate;
  CapacityOptions options;
  std::string mean_wait, p90_wait, budget_for;
};

Result<void> read_duration(std::string_view name, const std::string& text, auto& into) {
  if (text.empty()) return {};
  const auto duration = parse_duration(text);
  if (!duration) return fail(ErrorCode::invalid, fmt::format("{}: {}", name, duration.error().message));
  into = *duration;
  return {};
}

Result<CapacityOptions> options_of(Session& session, const CapacityArguments& arguments) {
  CapacityOptions options = arguments.options;
  if (auto done = read_duration("--wait-mean", arguments.mean_wait, options.mean_wait); !done)
    return std::unexpected(done.error());
  if (auto done = read_duration("--wait-p90", arguments.p90_wait, options.p90_wait); !done)
    return std::unexpected(done.error());
  if (auto done = read_duration("--budget-for", arguments.budget_for, options.budget_for); !done)
    return std::unexpected(done.error());
  auto simulate = simulate_options(session, arguments.simulate);
  if (!simulate) return std::unexpected(simulate.error());
  options.simulate = std::move(*simulate);
  return options;
}

std::string time_text(const json::value& run, const char* field) {
  return to_string(seconds(static_cast<std::int64_t>(number_at(run, field).value_or(0))));
}

void add_run(Table& table, const std::string& what, const json::value& run) {
  table.add({what, std::to_string(integer_at(run, "nodes").value_or(0)),
             std::to_string(integer_at(run, "gpus").value_or(0)), time_text(run, "wait_mean_seconds"),
             time_text(run, "wait_p90_seconds"),
             fmt::format("{:.1f} %", 100 * number_at(run, "utilisation").value_or(0)),
             fmt::format("{:.2f}", number_at(run, "price_per_hour").value_or(0))});
}

void show_capacity(Session& session, const json::value& report) {
  using Align = Table::Align;
  Table table({{"FLAVOR " + printable(text_at(report, "flavor"))},
               {"NODES", Align::right},
               {"GPUS", Align::right},
               {"WAIT MEAN", Align::right},
               {"WAIT P90", Align::right},
               {"UTILISATION", Align::right},
               {"PRICE AN HOUR", Align::right}});
  add_run(table, "as it is", member(report, "present"));
  for (const auto& run : items_of(member(report, "tried"))) add_run(table, "tried", run);
  if (member(report, "enough").is_object()) add_run(table, "enough", member(report, "enough"));
  if (member(report, "budget_buys").is_object()) add_run(table, "the budget buys", member(report, "budget_buys"));
  table.print(session.out, session.terminal.width);
  if (member(report, "tried").is_array() && member(report, "enough").is_null())
    session.out << "\nNo number of nodes that was tried reaches the targets.\n";
  if (member(report, "budget_buys").is_null() && report.as_object().contains("budget_buys"))
    session.out << "\nThe budget does not pay for a node.\n";
  if (member(report, "outgrown").is_string())
    session.out << "\nThe cluster is outgrown: " << text_at(report, "outgrown")
                << ", if demand grows as it grew by the day.\n";
}

int capacity(Session& session, const CapacityArguments& arguments) {
  const auto options = options_of(session, arguments);
  if (!options) return report(session, options.error());
  return simulate_and_show(session, session.program.capacity, *options, options->simulate.seeds, show_capacity);
}

}  // namespace

void add_capacity(Verbs& verbs) {
  auto arguments = std::make_shared<CapacityArguments>();
  auto& options = arguments->options;
  auto* verb = verbs.add("capacity", "Find how many nodes recorded work needs, and what a budget buys");
  add_workload_options(*verb, arguments->simulate);
  verb->add_option("--policy", arguments->simulate.options.policies, "File with the queues and settings in force")
      ->expected(1);
  verb->add_option("--flavor", options.flavor, "Flavor whose node count is varied");
  verb->add_option("--wait-mean", arguments->mean_wait, "Target: the mean wait is at most this");
  verb->add_option("--wait-p90", arguments->p90_wait, "Target: nine of ten jobs wait at most this");
  verb->add_option("--utilisation", options.utilisation, "Target: at most this part of the GPUs is in use, 0.8")
      ->check(CLI::Range(0.01, 1.0));
  verb->add_option("--budget", options.budget, "Budget, in the currency of prices")->check(CLI::PositiveNumber);
  verb->add_option("--budget-for", arguments->budget_for, "Time that the budget covers (30d)");
  verb->add_option("--price", options.price, "Price of a GPU-hour; default: the flavor's")->check(CLI::PositiveNumber);
  verb->add_option("--bearable", options.bearable, "The cluster counts as outgrown above this utilisation")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  verbs.on(verb, arguments, capacity);
}

}  // namespace ym::cli
