// The command line `ym`: every verb, from its words to its exit code.
#pragma once

#include <boost/json/object.hpp>
#include <functional>

#include "base/result.h"
#include "cli/capacity_options.h"
#include "cli/migrate_options.h"
#include "cli/replay_options.h"
#include "cli/serve_options.h"
#include "cli/simulate_options.h"
#include "cli/tune_options.h"

namespace ym {

// What a command line needs from the program around it.
struct CliEnvironment {
  std::function<int(const ServeOptions&)> serve;  // runs the server; the result is the exit code
  // What came of it, as it is shown with -o json. Errors: `invalid`, what is wrong with which file.
  std::function<Result<boost::json::object>(const SimulateOptions&, const OnSimulateProgress&)> simulate{};
  std::function<Result<boost::json::object>(const TuneOptions&, const OnSimulateProgress&)> tune{};
  std::function<Result<boost::json::object>(const ForecastOptions&)> forecast{};
  std::function<Result<boost::json::object>(const CapacityOptions&, const OnSimulateProgress&)> capacity{};
  // The same of decisions that were recorded. Errors: `invalid`.
  std::function<Result<boost::json::object>(const ReplayArguments&)> replay{};
  // Moves a state; what moved. Errors: nothing has, save that `unavailable` may say that this is unknown.
  std::function<Result<boost::json::object>(const MigrateOptions&)> migrate{};
};

// Reads the words, does what they say, returns the exit code (see exit_code.h). Data
// goes to standard output, everything else to standard error. Never throws.
int run_cli(int argc, char** argv, const CliEnvironment& environment);

}  // namespace ym
