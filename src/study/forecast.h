// `ym forecast`: the expected demand, from recorded work.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/options/capacity_options.h"

namespace ym::study {

// The forecast at the end of the recorded workload, as `-o json` shows it. Errors: `invalid`.
Result<boost::json::object> forecast(const ForecastOptions& options);

}  // namespace ym::study
