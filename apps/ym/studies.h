// The verbs that study recorded work (src/study), wired to the stores and to standard error.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/options/capacity_options.h"
#include "study/options/replay_options.h"
#include "study/options/simulate_options.h"
#include "study/options/tune_options.h"

namespace ym {

// Each returns the result as `-o json` shows it. Errors: `invalid` names the file or the option, and the mistake; `io`.
// If the options name a state directory, its history is the workload.
Result<boost::json::object> simulate(const SimulateOptions& options, const OnSimulateProgress& on_progress);
Result<boost::json::object> tune(const TuneOptions& options, const OnSimulateProgress& on_progress);
Result<boost::json::object> forecast(const ForecastOptions& options);
Result<boost::json::object> capacity(const CapacityOptions& options, const OnSimulateProgress& on_progress);
Result<boost::json::object> replay_recordings(const ReplayArguments& arguments);

}  // namespace ym
