#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "cli/session.h"

namespace ym::cli {

// Prints a report of `ym simulate` (src/sim/report/report_json.h): a table that compares its policies and, with
// several seeds, the significant differences. Notes on the workload go to the second stream.
void show_simulation(Session& session, const boost::json::value& report);

// A figure as the table has it: "5h30m", "81.4 %". `path`: its path in the report. A figure that the table does not
// have is a plain number.
std::string figure_text(std::string_view path, double value);

}  // namespace ym::cli
