#pragma once

#include <boost/json/value.hpp>

#include "cli/session.h"

namespace ym::cli {

// The part of `ym simulate --forecasts` for one policy (src/sim/report/accuracy_json.h): how far the starts were from
// their forecasts. Prints nothing without forecasts.
void show_accuracy(Session& session, const boost::json::value& policy);

}  // namespace ym::cli
