#pragma once

#include <boost/json/value.hpp>

#include "cli/session.h"

namespace ym::cli {

// Prints a report of `ym simulate` (src/sim/report/report_json.h): a table that compares its policies and, with
// several seeds, the significant differences. Notes on the workload go to the second stream.
void show_simulation(Session& session, const boost::json::value& report);

}  // namespace ym::cli
