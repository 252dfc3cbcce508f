#pragma once

#include <boost/json/value.hpp>

#include "cli/session.h"

namespace ym::cli {

// What `ym simulate --forecasts` prints of a policy (src/sim/report/accuracy_json.h): whether jobs started when it was
// said that they would. Nothing where that was not asked for.
void show_accuracy(Session& session, const boost::json::value& policy);

}  // namespace ym::cli
