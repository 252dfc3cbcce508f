#include "cli/views/json_view.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace ym::cli {
namespace {

namespace json = boost::json;

}  // namespace

const json::value& null_value() {
  static const json::value kNull;
  return kNull;
}

const json::value& member(const json::value& object, std::string_view key) {
  if (!object.is_object()) return null_value();
  const auto* found = object.get_object().if_contains(key);
  return found == nullptr ? null_value() : *found;
}

const json::value& at(const json::value& object, std::string_view path) {
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) return member(object, path);
  return at(member(object, path.substr(0, slash)), path.substr(slash + 1));
}

std::string text_of(const json::value& value) {
  if (value.is_null()) return {};
  if (const auto* text = value.if_string()) return {text->data(), text->size()};
  if (const auto* number = value.if_double()) return format_number(*number);
  return json::serialize(value);
}

std::optional<double> number_at(const json::value& object, std::string_view path) {
  const auto& value = at(object, path);
  if (const auto* i = value.if_int64()) return static_cast<double>(*i);
  if (const auto* u = value.if_uint64()) return static_cast<double>(*u);
  if (const auto* d = value.if_double()) return *d;
  return std::nullopt;
}

std::optional<std::int64_t> integer_at(const json::value& object, std::string_view path) {
  const auto& value = at(object, path);
  const auto* number = value.if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<Instant> instant_at(const json::value& object, std::string_view path) {
  const auto& value = at(object, path);
  if (!value.is_string()) return std::nullopt;
  const auto parsed = parse_rfc3339(text_of(value));
  return parsed ? std::optional(*parsed) : std::nullopt;
}

const json::array& items_of(const json::value& value) {
  static const json::array kNone;
  const auto* array = value.if_array();
  return array == nullptr ? kNone : *array;
}

std::string format_number(double number) { return fmt::format("{:g}", number); }

}  // namespace ym::cli
