// The formats of `-o`, and the writers that do not depend on what is shown.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace ym::cli {

enum class Format : std::uint8_t { table, wide, json, yaml, name };

std::optional<Format> parse_format(std::string_view text);

// Indented, a line break at the end.
void print_json(std::ostream& out, const boost::json::value& value);
void print_yaml(std::ostream& out, const boost::json::value& value);
// One line: for streams of objects.
void print_json_line(std::ostream& out, const boost::json::value& value);

}  // namespace ym::cli
