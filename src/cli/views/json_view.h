// Reads the server's JSON. Missing fields and new fields are no error.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ym::cli {

const boost::json::value& null_value();
// The member of an object; null: it does not exist.
const boost::json::value& member(const boost::json::value& object, std::string_view key);
// A path of members: "spec/resources/gpus".
const boost::json::value& at(const boost::json::value& object, std::string_view path);

// A scalar as text: strings as they are, numbers and booleans as JSON, null as "".
std::string text_of(const boost::json::value& value);
inline std::string text_at(const boost::json::value& object, std::string_view path) {
  return text_of(at(object, path));
}

std::optional<std::int64_t> integer_at(const boost::json::value& object, std::string_view path);
std::optional<double> number_at(const boost::json::value& object, std::string_view path);
std::optional<Instant> instant_at(const boost::json::value& object, std::string_view path);

// The elements of an array; none if the value is not an array.
const boost::json::array& items_of(const boost::json::value& value);

// "8" or "0.5": without needless digits.
std::string format_number(double number);

}  // namespace ym::cli
