// `ym forecast`: what will be asked for, from what was.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/capacity_options.h"

namespace ym {

// As of the end of the recorded workload, as it is shown with -o json. Errors: `invalid`.
Result<boost::json::object> forecast(const ForecastOptions& options);

}  // namespace ym
