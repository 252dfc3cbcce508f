// Reads objects of a Kubernetes API. A field of the wrong type counts as missing.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace ym::kubernetes {

namespace json = boost::json;

// Errors: `invalid`. Its depth is bounded; the caller bounds its size.
Result<json::value> parse_json(std::string_view text);

// By JSON pointer, "/metadata/name". Null: it does not exist.
const json::value* find(const json::value& in, std::string_view pointer);
std::string text_at(const json::value& in, std::string_view pointer);  // empty: it does not exist
std::optional<std::int64_t> number_at(const json::value& in, std::string_view pointer);
bool true_at(const json::value& in, std::string_view pointer);
std::optional<Instant> time_at(const json::value& in, std::string_view pointer);
// The members with text values.
std::map<std::string, std::string> texts_at(const json::value& in, std::string_view pointer);
// The elements of a list. Empty if it is not a list.
const json::array& list_at(const json::value& in, std::string_view pointer);

// A quantity in the notation of Kubernetes: "2", "500m", "16Gi", "1e3". In thousandths, rounded up. Empty: it is not a
// quantity, is negative, or is more than 2^53 thousandths.
std::optional<std::int64_t> milli_amount(std::string_view text);
// The same in whole units, rounded down.
std::optional<std::int64_t> whole_amount(std::string_view text);

}  // namespace ym::kubernetes
