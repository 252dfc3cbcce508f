// Options of the verbs that simulate recorded work: the cluster and the workload.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <string>

#include "cli/session.h"

namespace ym::cli {

struct SimulateArguments {
  SimulateOptions options;
  std::string until, since, checkpoints, start_time, grace, forecasts;
};

// Adds the options of the workload alone.
void add_history_options(CLI::App& verb, SimulateArguments& arguments);
// Adds these and the options of the simulation. `arguments` must live as long as the verb.
void add_workload_options(CLI::App& verb, SimulateArguments& arguments);

// Reads the server's history if the options ask for it. Errors: `invalid` names the option.
Result<SimulateOptions> simulate_options(Session& session, const SimulateArguments& arguments);

// A line that shows the progress of the simulations. The destructor clears it.
class ProgressLine {
 public:
  ProgressLine(Session& session, std::int32_t seeds)
      : session_(session), line_(session.err, session.terminal), seeds_(seeds) {}
  ~ProgressLine() { line_.clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const SimulateProgress& progress);

 private:
  Session& session_;
  StatusLine line_;
  std::int32_t seeds_;
  // The simulation that is shown, and when it began: on this clock and on its own.
  std::string policy_;
  std::int32_t seed_ = 0;
  Instant begin_, first_;
};

// Calls `ask` with the options, shows progress meanwhile, shows or prints the result, and returns the exit code.
// `ask` is null if the program has no simulator.
using ShowReport = void (*)(Session&, const boost::json::value&);
template <class Options>
using AskSimulator = std::function<Result<boost::json::object>(const Options&, const OnSimulateProgress&)>;

int show_report(Session& session, Result<boost::json::object> done, ShowReport show);

template <class Options>
int simulate_and_show(Session& session, const AskSimulator<Options>& ask, const Options& options, std::int32_t seeds,
                      ShowReport show) {
  if (!ask) return report(session, Error{ErrorCode::invalid, "this program was built without the simulator"});
  auto done = [&] {
    ProgressLine line(session, seeds);
    return ask(options, [&](const SimulateProgress& progress) { line.show(progress); });
  }();
  return show_report(session, std::move(done), show);
}

}  // namespace ym::cli
