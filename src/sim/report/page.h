// The report of simulations as one HTML page. It loads nothing from a network; it contains the chart library
// (Chart.js).
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "base/result.h"

namespace ym::sim {

// `report`: that of `ym simulate -o json`, with "timeline" in each policy (add_timeline). Content of files is shown as
// text, whatever it is.
std::string to_page(const boost::json::object& report);

// Errors: `io`.
Result<void> write_page(const std::string& path, const boost::json::object& report);

}  // namespace ym::sim
