// Scalars and keys that all readers of YAML understand alike, of version 1.1 (PyYAML) and 1.2.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace ym::cli {

// Puts text in quotes, so that no reader takes it for a number, a date or a boolean. Writes numbers with a point
// before the exponent; YAML 1.1 takes others for text. Precondition: an object or array is empty.
std::string yaml_scalar(const boost::json::value& value);

// Puts the key in quotes unless it is a word of small letters without another meaning in YAML.
std::string yaml_key(std::string_view key);

}  // namespace ym::cli
