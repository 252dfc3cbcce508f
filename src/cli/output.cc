#include "cli/output.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/yaml_scalar.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

bool is_nested(const json::value& value) {
  return (value.is_object() && !value.get_object().empty()) || (value.is_array() && !value.get_array().empty());
}

void json_value(std::ostream& out, const json::value& value, std::size_t depth) {
  if (!is_nested(value)) {
    out << json::serialize(value);
    return;
  }
  const std::string inner(2 * (depth + 1), ' ');
  const char* separator = "\n";
  out << (value.is_object() ? '{' : '[');
  const auto begin_item = [&] {
    out << separator << inner;
    separator = ",\n";
  };
  if (const auto* object = value.if_object()) {
    for (const auto& [key, item] : *object) {
      begin_item();
      out << json::serialize(key) << ": ";
      json_value(out, item, depth + 1);
    }
  } else {
    for (const auto& item : value.get_array()) {
      begin_item();
      json_value(out, item, depth + 1);
    }
  }
  out << '\n' << std::string(2 * depth, ' ') << (value.is_object() ? '}' : ']');
}

void yaml_value(std::ostream& out, const json::value& value, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  const auto yaml_child = [&](const json::value& item) {
    out << (is_nested(item) ? "\n" : " ");
    yaml_value(out, item, depth + 1);
  };
  if (!is_nested(value)) {
    out << yaml_scalar(value) << '\n';
  } else if (const auto* object = value.if_object()) {
    for (const auto& [key, item] : *object) {
      out << indent << yaml_key(std::string_view(key)) << ':';
      yaml_child(item);
    }
  } else {
    for (const auto& item : value.get_array()) {
      out << indent << '-';
      yaml_child(item);
    }
  }
}

}  // namespace

void print_json(std::ostream& out, const json::value& value) {
  json_value(out, value, 0);
  out << '\n';
}

void print_json_line(std::ostream& out, const json::value& value) { out << json::serialize(value) << '\n'; }

void print_yaml(std::ostream& out, const json::value& value) { yaml_value(out, value, 0); }

}  // namespace ym::cli
