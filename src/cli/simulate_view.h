#pragma once

#include <boost/json/value.hpp>

#include "cli/session.h"

namespace ym::cli {

// What `ym simulate` prints of a report (src/sim/report/report_json.h), as a table that compares its policies, with
// what surely differs where there are several seeds; notes on what is odd about the workload go to the second stream.
void show_simulation(Session& session, const boost::json::value& report);

}  // namespace ym::cli
