// `ym simulate`: from its files to its figures.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/listener.h"
#include "study/options/simulate_options.h"

namespace ym::study {

// Returns {"workload", "format", "policies": [figures of each, with its name under "policy"]}. Errors: `invalid`
// names the file; `io`.
Result<boost::json::object> simulate(const SimulateOptions& options, const Listener& listener);

}  // namespace ym::study
