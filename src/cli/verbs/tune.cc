#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/term/table.h"
#include "cli/verbs/simulate_arguments.h"
#include "cli/verbs/typing_mistakes.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"
#include "cli/views/simulate_view.h"
#include "study/options/tune_options.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct TuneArguments {
  SimulateArguments simulate;
  TuneOptions options;
};

double value_of(const json::value& tried) { return number_at(tried, "value").value_or(0); }

std::string value_text(const Objective& objective, const json::value& tried) {
  const auto half = number_at(tried, "ci95");
  return figure_text(objective.path, value_of(tried)) + (half ? " ±" + figure_text(objective.path, *half) : "");
}

// Shows all combinations in the order of their runs, and marks the best.
void show_tried(Session& session, const json::array& tried, std::size_t best, const Objective& objective) {
  std::vector<Table::Column> columns;
  for (const auto& [name, value] : member(tried.front(), "settings").as_object())
    columns.push_back({std::string(name)});
  columns.push_back({std::string(objective.name), Table::Align::right});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < tried.size(); ++i) {
    std::vector<std::string> cells;
    for (const auto& [name, value] : member(tried[i], "settings").as_object()) cells.emplace_back(value.as_string());
    cells.push_back(value_text(objective, tried[i]) + (i == best ? " *" : ""));
    table.add(std::move(cells));
  }
  table.print(session.out, session.terminal.width);
}

void show_tuning(Session& session, const json::value& report) {
  const auto& tried = items_of(member(report, "tried"));
  const auto best = static_cast<std::size_t>(integer_at(report, "best").value_or(0));
  const Objective& objective = *std::ranges::find(kObjectives, text_at(report, "objective"), &Objective::name);
  show_tried(session, tried, best, objective);
  const double before = value_of(tried.front()), after = value_of(tried[best]);
  if (best == 0) session.out << "\nNo combination is better than the present settings.\n";
  else
    session.out << fmt::format("\n{}: {} instead of {}{}\n", objective.name, figure_text(objective.path, after),
                               figure_text(objective.path, before),
                               before != 0 ? fmt::format(" ({:+.1f} %)", 100 * (after - before) / before) : "");
  const bool complete = member(report, "complete") == true;
  if (!complete) session.err << "note: no runs were left for the rest; --runs allows more\n";
}

int tune(Session& session, const TuneArguments& arguments) {
  TuneOptions options = arguments.options;
  auto simulate = simulate_options(session, arguments.simulate);
  if (!simulate) return report(session, simulate.error());
  options.simulate = std::move(*simulate);
  return simulate_and_show(session, session.program.tune, options, options.simulate.seeds, show_tuning);
}

}  // namespace

void add_tune(Verbs& verbs, CLI::App& policy) {
  auto arguments = std::make_shared<TuneArguments>();
  auto* verb = policy.add_subcommand("tune", "Search for settings that suit recorded work better");
  add_workload_options(*verb, arguments->simulate);
  verb->add_option("--policy", arguments->simulate.options.policies, "File with the queues and settings to start from")
      ->expected(1);
  std::vector<std::string> names;
  for (const auto& objective : kObjectives) names.emplace_back(objective.name);
  verb->add_option("--objective", arguments->options.objective, "Figure to improve")->required()->check(one_of(names));
  verb->add_option("--try", arguments->options.tries, "SECTION.KEY=VALUE,VALUE: scheduling.placement=fgd,best-fit")
      ->required()
      ->allow_extra_args(false);
  verb->add_option("--runs", arguments->options.most_runs, "Try at most this number of combinations")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  verbs.on(verb, arguments, tune);
}

}  // namespace ym::cli
