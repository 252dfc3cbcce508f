// What the verbs have in common that simulate recorded work: on which cluster, and which work.
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

// The words of recorded work alone.
void add_history_options(CLI::App& verb, SimulateArguments& arguments);
// Those, and how it is simulated. `arguments` lives as long as the verb.
void add_workload_options(CLI::App& verb, SimulateArguments& arguments);

// With the history of the server, where that is asked for. Errors: `invalid`, naming the option.
Result<SimulateOptions> simulate_options(Session& session, const SimulateArguments& arguments);

// A line that says how far each simulation is; it goes when the object does.
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
  // Of the simulation that is shown: which, and when it began, here and in its own time.
  std::string policy_;
  std::int32_t seed_ = 0;
  Instant begin_, first_;
};

// What the program makes of the options, with a line of progress meanwhile, shown or printed; the exit code. `ask` is
// null where the program has no simulator.
using ShowReport = void (*)(Session&, const boost::json::value&);
template <class Options>
using AskSimulator = std::function<Result<boost::json::object>(const Options&, const OnSimulateProgress&)>;

int show_report(Session& session, Result<boost::json::object> done, ShowReport show);

template <class Options>
int simulate_and_show(Session& session, const AskSimulator<Options>& ask, const Options& options, std::int32_t seeds,
                      ShowReport show) {
  if (!ask) return report(session, Error{ErrorCode::invalid, "this program has no simulator in it"});
  auto done = [&] {
    ProgressLine line(session, seeds);
    return ask(options, [&](const SimulateProgress& progress) { line.show(progress); });
  }();
  return show_report(session, std::move(done), show);
}

}  // namespace ym::cli
