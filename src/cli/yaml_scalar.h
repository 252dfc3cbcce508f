// Scalars and keys as every reader of YAML takes them, of version 1.1 (PyYAML) as of 1.2.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace ym::cli {

// Text in quotes, so that no reader makes a number, a date or a truth of it; numbers with a point before the exponent,
// without which 1.1 takes them for text. Precondition: no object or array with something in it.
std::string yaml_scalar(const boost::json::value& value);

// In quotes unless it is a word of small letters that means nothing else in YAML.
std::string yaml_key(std::string_view key);

}  // namespace ym::cli
