// An event as one line of text.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace ym::cli {

// The reason, and the payload's fields as "key=value".
std::string event_details(const boost::json::value& event);

}  // namespace ym::cli
