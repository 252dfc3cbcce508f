// What people are shown of an event in one line.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace ym::cli {

// The reason, and what the payload says as "key=value".
std::string event_details(const boost::json::value& event);

}  // namespace ym::cli
