// RowDecoder: decodes a JSON value strictly into a described struct.
//
// Missing, unknown, mistyped and out-of-range fields are errors. The first problem ends the decoding, and is reported
// with its JSON pointer. It decodes rows, and messages with structs that are described in the same way.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>
#include <string>
#include <type_traits>

#include "base/boxed.h"
#include "base/boxed_optional.h"
#include "base/result.h"
#include "model/json/enum_text.h"
#include "model/json/event_fields.h"

namespace ym::json {

class RowDecoder {
 public:
  // `what` names the row in messages: "job", "attempt".
  template <class T>
  static Result<T> decode(std::string_view what, const boost::json::value& value) {
    auto row = walk<T>(value);
    return row ? Result<T>(std::move(*row)) : corrupt(what, row.error());
  }
  // The same for a value that was not stored.
  template <class T>
  static std::expected<T, FieldError> walk(const boost::json::value& value) {
    RowDecoder decoder;
    T row{};
    if (decoder.read(value, row)) return row;
    return std::unexpected(FieldError{decoder.path_.empty() ? "/" : decoder.path_, decoder.problem_});
  }

 private:
  using Value = boost::json::value;

  static std::unexpected<Error> corrupt(std::string_view what, const FieldError& field);
  bool wrong(std::string_view expected);
  // Reads the value below `name`. After success the path is as before.
  template <class T>
  bool read_at(std::string_view name, const Value& value, T& out) {
    const auto length = path_.size();
    path_.append("/").append(name);
    if (!read(value, out)) return false;
    path_.resize(length);
    return true;
  }

  bool read(const Value& value, bool& out);
  bool read(const Value& value, std::string& out);
  bool read(const Value& value, std::int32_t& out);
  bool read(const Value& value, std::int64_t& out);
  bool read(const Value& value, std::uint64_t& out);
  bool read(const Value& value, double& out);
  bool read(const Value& value, Instant& out) { return read(value, out.ms); }
  bool read(const Value& value, Duration& out) { return read(value, out.ms); }
  bool read(const Value& value, Token& out);
  bool read(const Value& value, FlavorQuota& out);
  bool read(const Value& value, ResourceVector& out);
  bool read(const Value& value, QuotaList& out);

  template <class Amounts>
  bool read_by_kind(const Value& value, Amounts& out);

  template <class Tag>
  bool read(const Value& value, StrongId<Tag>& out) {
    return read(value, out.value);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  bool read(const Value& value, Enum& out) {
    const auto parsed = value.is_string() ? read_enum<Enum>(std::string_view(value.get_string())) : std::nullopt;
    if (!parsed) return wrong("one of the known names");
    out = *parsed;
    return true;
  }
  template <class T>
  bool read(const Value& value, std::optional<T>& out) {
    return read(value, out.emplace());
  }
  template <class T>
  bool read(const Value& value, BoxedOptional<T>& out) {
    return read(value, out.emplace());
  }
  template <class T>
  bool read(const Value& value, Boxed<T>& out) {
    T content{};
    if (!read(value, content)) return false;
    out = std::move(content);
    return true;
  }
  template <class T>
  bool read(const Value& value, std::vector<T>& out) {
    if (!value.is_array()) return wrong("a list");
    for (const auto& item : value.get_array())
      if (!read_at(std::to_string(out.size()), item, out.emplace_back())) return false;
    return true;
  }
  template <class T>
  bool read(const Value& value, std::map<std::string, T>& out) {
    if (!value.is_object()) return wrong("an object");
    for (const auto& [key, item] : value.get_object())
      if (!read_at(key, item, out[key])) return false;
    return true;
  }
  template <Described T>
  bool read(const Value& value, T& out) {
    if (!value.is_object()) return wrong("an object");
    const auto& object = value.get_object();
    std::size_t seen = 0;
    const bool good =
        std::apply([&](const auto&... f) { return (read_field(object, f, out, seen) && ...); }, Fields<T>::list);
    return good && (seen == object.size() || wrong_key(object, [](std::string_view key) { return known<T>(key); }));
  }

  template <class Owner, class Member>
  bool read_field(const boost::json::object& object, const Field<Owner, Member>& f, Owner& out, std::size_t& seen) {
    if (const Value* value = object.if_contains(f.name)) {
      ++seen;
      return read_at(f.name, *value, out.*f.member);
    }
    if (f.may_be_absent() || is_optional<Member>) return true;
    path_.append("/").append(f.name);
    return wrong("present");
  }
  template <class Owner>
  bool read_field(const boost::json::object& object, const Former& former, Owner& /*out*/, std::size_t& seen) {
    seen += object.contains(former.name);
    return true;
  }
  template <class T>
  static bool known(std::string_view key) {
    return std::apply([key](const auto&... f) { return ((f.name == key) || ...); }, Fields<T>::list);
  }
  bool wrong_key(const boost::json::object& object, bool (*known)(std::string_view));

  template <class T>
  static constexpr bool is_optional = false;
  template <class T>
  static constexpr bool is_optional<std::optional<T>> = true;
  template <class T>
  static constexpr bool is_optional<BoxedOptional<T>> = true;

  std::string path_;
  std::string problem_;
};

}  // namespace ym::json
