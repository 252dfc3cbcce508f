// How honest forecasts were, as `ym simulate -o json` shows it.
#pragma once

#include <boost/json/object.hpp>

#include "sim/simulate/start_accuracy.h"

namespace ym::sim {

// Shares of the jobs that are judged; times in seconds; "width" in parts of the time to the middle of the range.
boost::json::object to_json(const StartAccuracy& accuracy);

}  // namespace ym::sim
