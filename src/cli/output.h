// The formats of `-o`, and writers that all verbs share.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "base/enum_names.h"

namespace ym::cli {

enum class Format : std::uint8_t { table, wide, json, yaml, name };
constexpr std::string_view to_string(Format value) {
  switch (value) {
    case Format::table: return "table";
    case Format::wide: return "wide";
    case Format::json: return "json";
    case Format::yaml: return "yaml";
    case Format::name: return "name";
  }
  return {};
}

// Indented, with a line break at the end.
void print_json(std::ostream& out, const boost::json::value& value);
void print_yaml(std::ostream& out, const boost::json::value& value);
// On one line, for streams of objects.
void print_json_line(std::ostream& out, const boost::json::value& value);

}  // namespace ym::cli
