// The command line `ym`: reads the words, runs the verb, returns the exit code.
#pragma once

#include <boost/json/object.hpp>
#include <functional>

#include "base/result.h"
#include "cli/options/erase_options.h"
#include "cli/options/migrate_options.h"
#include "cli/options/serve_options.h"
#include "study/options/capacity_options.h"
#include "study/options/history_options.h"
#include "study/options/replay_options.h"
#include "study/options/simulate_options.h"
#include "study/options/tune_options.h"

namespace ym {

// What a command line needs from the program that it is part of.
struct CliEnvironment {
  std::function<int(const ServeOptions&)> serve;  // runs the server; returns the exit code
  // Returns the result as `-o json` shows it. Errors: `invalid` names the file and the mistake.
  std::function<Result<boost::json::object>(const SimulateOptions&, const OnSimulateProgress&)> simulate{};
  std::function<Result<boost::json::object>(const TuneOptions&, const OnSimulateProgress&)> tune{};
  std::function<Result<boost::json::object>(const ForecastOptions&)> forecast{};
  std::function<Result<boost::json::object>(const CapacityOptions&, const OnSimulateProgress&)> capacity{};
  // The same for recorded decisions. Errors: `invalid`.
  std::function<Result<boost::json::object>(const ReplayArguments&)> replay{};
  // Reads segments of the history. Errors: `invalid`, `io`, `corrupt`.
  std::function<Result<boost::json::object>(const HistoryOptions&)> history{};
  // Moves a state and returns what it moved. After an error no state has moved, except that `unavailable` may say
  // that this is not known.
  std::function<Result<boost::json::object>(const MigrateOptions&)> migrate{};
  // Takes a person out of a state and returns what it changed. After an error it may have to be run again.
  std::function<Result<boost::json::object>(const EraseOptions&)> erase{};
};

// Runs the command line and returns the exit code (exit_code.h). Writes data to standard output and all else to
// standard error. Never throws.
int run_cli(int argc, char** argv, const CliEnvironment& environment);

}  // namespace ym
