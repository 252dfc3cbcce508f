// The report of simulations as one HTML page: nothing is loaded from a network, the chart library (Chart.js) is in it.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "base/result.h"

namespace ym::sim {

// `report`: as `ym simulate -o json` has it, with "timeline" in each policy (add_timeline). What came from files is
// shown as text, whatever is in it.
std::string to_page(const boost::json::object& report);

// Errors: `io`.
Result<void> write_page(const std::string& path, const boost::json::object& report);

}  // namespace ym::sim
