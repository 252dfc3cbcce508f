#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/term/table.h"
#include "cli/verbs/simulate_arguments.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"
#include "study/options/capacity_options.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct ForecastArguments {
  SimulateArguments simulate;
  ForecastOptions options;
};

std::string range_text(const json::value& figure) {
  const auto low = number_at(figure, "range/low"), high = number_at(figure, "range/high");
  return low && high ? fmt::format("{:.6g} to {:.6g}", *low, *high) : "-";
}

std::string percent(const std::optional<double>& part) { return part ? fmt::format("{:.1f} %", 100 * *part) : "-"; }

// Shows each forecast with its error so far, beside the error of "same as before".
void show_figures(Session& session, const json::value& report) {
  struct Row {
    const char* title;
    const char* said;
    const char* errors;
    const char* plain;
  };
  constexpr Row kRows[]{{"jobs, next hour", "next_hour", "errors/next_hour", "last_hour"},
                        {"jobs, next day", "next_day/jobs", "errors/jobs", "yesterday"},
                        {"GPU hours asked for, next day", "next_day/gpu_hours", "errors/gpu_hours", "yesterday"},
                        {"GPUs in use, next day", "next_day/gpus_in_use", "errors/gpus_in_use", "yesterday"}};
  using Align = Table::Align;
  Table table({{""},
               {"TYPICAL", Align::right},
               {"FOUR TIMES OF FIVE", Align::right},
               {"ERROR SO FAR", Align::right},
               {"AS BEFORE", Align::right}});
  for (const auto& row : kRows) {
    const std::string said = row.said, errors = row.errors;
    table.add({row.title, fmt::format("{:.6g}", number_at(report, said + "/typical").value_or(0)),
               range_text(at(report, said)), percent(number_at(report, errors + "/said")),
               percent(number_at(report, errors + "/" + row.plain))});
  }
  table.print(session.out, session.terminal.width);
}

void show_sizes(Session& session, const json::value& report) {
  Table table({{"GPUS UP TO"}, {"SHARE", Table::Align::right}});
  for (const auto& size : items_of(member(report, "sizes"))) {
    const auto up_to = integer_at(size, "gpus_up_to");
    table.add({up_to ? std::to_string(*up_to) : "more", percent(number_at(size, "share"))});
  }
  session.out << '\n';
  table.print(session.out, session.terminal.width);
}

void show_forecast(Session& session, const json::value& report) {
  session.out << fmt::format("as of {}, from {} jobs\n\n", text_at(report, "as_of"),
                             integer_at(report, "jobs").value_or(0));
  show_figures(session, report);
  show_sizes(session, report);
  if (member(report, "errors").is_null())
    session.err
        << "note: the history is too short to judge the forecasts; --warm-up-days sets how many days are not judged\n";
}

int forecast(Session& session, const ForecastArguments& arguments) {
  ForecastOptions options = arguments.options;
  auto simulate = simulate_options(session, arguments.simulate);
  if (!simulate) return report(session, simulate.error());
  if (!session.program.forecast)
    return report(session, Error{ErrorCode::invalid, "this program was built without forecasts"});
  options.simulate = std::move(*simulate);
  return show_report(session, session.program.forecast(options), show_forecast);
}

}  // namespace

void add_forecast(Verbs& verbs) {
  auto arguments = std::make_shared<ForecastArguments>();
  auto* verb = verbs.add("forecast", "Forecast the demand of the next hour and day from recorded work");
  add_history_options(*verb, arguments->simulate);
  verb->add_option("--warm-up-days", arguments->options.warm_up_days,
                   "Days at the beginning whose forecasts are not judged")
      ->check(CLI::Range(1, 3650))
      ->capture_default_str();
  verbs.on(verb, arguments, forecast);
}

}  // namespace ym::cli
