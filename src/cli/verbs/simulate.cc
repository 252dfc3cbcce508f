#include <boost/json/object.hpp>

#include "cli/verbs/simulate_arguments.h"
#include "cli/verbs/verb.h"
#include "cli/views/simulate_view.h"

namespace ym::cli {
namespace {

int simulate(Session& session, const SimulateArguments& arguments) {
  const auto options = simulate_options(session, arguments);
  if (!options) return report(session, options.error());
  return simulate_and_show(session, session.program.simulate, *options, options->seeds, show_simulation);
}

}  // namespace

void add_simulate(Verbs& verbs) {
  auto arguments = std::make_shared<SimulateArguments>();
  auto& options = arguments->options;
  auto* verb = verbs.add("simulate", "Run a recorded workload through the scheduler under a virtual clock");
  add_workload_options(*verb, *arguments);
  verb->add_option("--policy", options.policies,
                   "File with queues and settings to try; may be repeated to compare several")
      ->allow_extra_args(false);
  verb->add_option("--jobs", options.jobs_csv, "Write a CSV row for each job into this file (first policy only)");
  verb->add_option("--forecasts", arguments->forecasts,
                   "Forecast the start of each waiting job once in this time (10m), and report how accurate that was");
  verb->add_option("--html", options.page, "Write the report into this file, as an HTML page with charts");
  verbs.on(verb, arguments, simulate);
}

}  // namespace ym::cli
