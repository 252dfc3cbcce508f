// WireReader: one strict walk over a JSON value into a described struct. Private to this library.
//
// Missing, unknown, mistyped and out-of-range fields all stop it; the first problem and its JSON
// pointer are kept.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "executor/remote/wire_fields.h"

namespace ym::remote {

class WireReader {
 public:
  // `v`, which says how the rest is meant, is the caller's.
  template <class T>
  static Result<T> read_object(const boost::json::object& object) {
    WireReader reader;
    T row{};
    if (!reader.read_fields(object, row)) return fail_field(reader.path_, reader.problem_);
    return row;
  }

 private:
  using Value = boost::json::value;

  bool wrong(std::string_view expected) {
    problem_ = std::string("is not ").append(expected);
    return false;
  }
  template <class T>
  bool read_at(std::string_view name, const Value& value, T& out) {
    const auto length = path_.size();
    path_.append("/").append(name);
    if (!read(value, out)) return false;
    path_.resize(length);
    return true;
  }

  bool read(const Value& value, bool& out) {
    if (!value.is_bool()) return wrong("true or false");
    out = value.get_bool();
    return true;
  }
  bool read(const Value& value, std::string& out) {
    if (!value.is_string()) return wrong("a text");
    out = value.get_string();
    return true;
  }
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  bool read(const Value& value, Number& out) {
    if (value.is_int64() && std::in_range<Number>(value.get_int64())) out = static_cast<Number>(value.get_int64());
    else if (value.is_uint64() && std::in_range<Number>(value.get_uint64()))
      out = static_cast<Number>(value.get_uint64());
    else return wrong("a whole number in its range");
    return true;
  }
  bool read(const Value& value, Instant& out) { return read(value, out.ms); }
  bool read(const Value& value, Duration& out) { return read(value, out.ms); }
  bool read(const Value& value, Token& out) {
    const auto token = value.is_string() ? parse_token(value.get_string()) : std::nullopt;
    if (!token) return wrong("a launch token");
    out = *token;
    return true;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  bool read(const Value& value, Enum& out) {
    const auto parsed = value.is_string() ? json::EnumText<Enum>::read(value.get_string()) : std::nullopt;
    if (!parsed) return wrong("one of the known names");
    out = *parsed;
    return true;
  }
  template <class T>
  bool read(const Value& value, std::optional<T>& out) {
    return read(value, out.emplace());
  }
  template <class T>
  bool read(const Value& value, std::vector<T>& out) {
    if (!value.is_array()) return wrong("a list");
    for (const auto& item : value.get_array())
      if (!read_at(std::to_string(out.size()), item, out.emplace_back())) return false;
    return true;
  }
  bool read(const Value& value, std::map<std::string, std::string>& out) {
    if (!value.is_object()) return wrong("an object");
    for (const auto& [key, item] : value.get_object())
      if (!read_at(key, item, out[key])) return false;
    return true;
  }
  template <json::Described T>
  bool read(const Value& value, T& out) {
    return value.is_object() ? read_fields(value.get_object(), out) : wrong("an object");
  }

  template <class T>
  bool read_fields(const boost::json::object& object, T& out) {
    std::size_t seen = path_.empty() && object.contains("v") ? 1 : 0;
    const bool good =
        std::apply([&](const auto&... f) { return (read_field(object, f, out, seen) && ...); }, json::Fields<T>::list);
    return good && (seen == object.size() || wrong_key<T>(object));
  }
  template <class Owner, class Member>
  bool read_field(const boost::json::object& object, const json::Field<Owner, Member>& f, Owner& out,
                  std::size_t& seen) {
    if (const Value* value = object.if_contains(f.name)) {
      ++seen;
      return read_at(f.name, *value, out.*f.member);
    }
    if (f.may_be_absent() || is_optional<Member>) return true;
    path_.append("/").append(f.name);
    return wrong("present");
  }
  template <class T>
  bool wrong_key(const boost::json::object& object) {
    const auto known = [](std::string_view key) {
      return std::apply([key](const auto&... f) { return ((f.name == key) || ...); }, json::Fields<T>::list);
    };
    for (const auto& entry : object) {
      if (known(entry.key()) || (path_.empty() && entry.key() == "v")) continue;
      path_.append("/").append(entry.key());
      break;
    }
    return wrong("a known field");
  }

  template <class T>
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool is_optional<std::optional<T>> = true;

  std::string path_, problem_;
};

}  // namespace ym::remote
