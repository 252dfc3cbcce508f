// `ym simulate`: from its files to its figures.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/simulate_options.h"

namespace ym {

// {"workload", "format", "policies": [figures of each, with its name under "policy"]}. Errors: `invalid`, which name
// the file; `io`.
Result<boost::json::object> simulate(const SimulateOptions& options, const OnSimulateProgress& on_progress);

}  // namespace ym
