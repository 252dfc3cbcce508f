#include <boost/json/object.hpp>

#include "cli/simulate_view.h"
#include "cli/verbs/simulate_arguments.h"
#include "cli/verbs/verb.h"

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
  verb->add_option("--policy", options.policies, "File with queues and settings to try; several are compared")
      ->allow_extra_args(false);
  verb->add_option("--jobs", options.jobs_csv, "Write a row of CSV for each job here (of the first policy)");
  verb->add_option("--forecasts", arguments->forecasts,
                   "Foresee when a job that waits will start, once in so much time (10m), and say how true that was");
  verb->add_option("--html", options.page, "Write the report here as one page with charts");
  verbs.on(verb, arguments, simulate);
}

}  // namespace ym::cli
