// Reading objects of a Kubernetes API: what is missing, or of another type, is as if it were not there.
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

// Errors: `invalid`. Bounded in depth; the caller bounds its size.
Result<json::value> parse_json(std::string_view text);

// By JSON pointer, "/metadata/name"; null: there is none.
const json::value* find(const json::value& in, std::string_view pointer);
std::string text_at(const json::value& in, std::string_view pointer);  // empty: there is none
std::optional<std::int64_t> number_at(const json::value& in, std::string_view pointer);
bool true_at(const json::value& in, std::string_view pointer);
std::optional<Instant> time_at(const json::value& in, std::string_view pointer);
// The members that are text.
std::map<std::string, std::string> texts_at(const json::value& in, std::string_view pointer);
// The elements of a list; empty: it is none.
const json::array& list_at(const json::value& in, std::string_view pointer);

// Kubernetes' own way to write an amount: "2", "500m", "16Gi", "1e3". In thousandths, rounded up; nothing: it is no
// amount, negative, or more than 2^53 thousandths can hold.
std::optional<std::int64_t> milli_amount(std::string_view text);
// The same in whole ones, rounded down.
std::optional<std::int64_t> whole_amount(std::string_view text);

}  // namespace ym::kubernetes
