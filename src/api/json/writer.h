// JsonWriter: writes JSON directly into a string, without a tree of values.
//
// It adds commas and quotes. The caller must nest correctly. In text that is not UTF-8, U+FFFD replaces the bad bytes,
// so the result is always valid.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ym::api {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag);
  JsonWriter& value(std::nullptr_t);
  JsonWriter& value(Instant time) { return value(std::string_view(to_rfc3339(time))); }
  JsonWriter& value(double number);  // null if JSON has no such number: NaN, infinity
  template <std::integral Int>
    requires(!std::same_as<Int, bool>)
  JsonWriter& value(Int number) {
    if constexpr (std::signed_integral<Int>) return integer(static_cast<std::int64_t>(number));
    else return natural(static_cast<std::uint64_t>(number));
  }
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : value(nullptr);
  }

  // An amount in thousandths as a JSON number: 8, 0.5.
  JsonWriter& thousandths(std::int64_t amount);
  JsonWriter& thousandths(const std::optional<std::int64_t>& maybe) {
    return maybe ? thousandths(*maybe) : value(nullptr);
  }
  // Text that is JSON already.
  JsonWriter& raw(std::string_view json);

  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  std::size_t size() const { return text_.size(); }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  std::string take() && { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& integer(std::int64_t number);
  JsonWriter& natural(std::uint64_t number);
  void separate();
  void quote(std::string_view text);

  std::string text_;
  bool comma_ = false;  // the next key or element needs a comma before it
};

}  // namespace ym::api
