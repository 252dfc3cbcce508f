// The accuracy of forecasts, as `ym simulate -o json` shows it.
#pragma once

#include <boost/json/object.hpp>

#include "sim/simulate/start_accuracy.h"

namespace ym::sim {

// Shares of the judged jobs; times in seconds; "width" relative to the time until the middle of the range.
boost::json::object to_json(const StartAccuracy& accuracy);

}  // namespace ym::sim
