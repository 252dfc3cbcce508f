// Text that consists of one whole number.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace ym {

// Decimal, optionally with a minus. Nothing: the text is empty, has other characters before or after the number, or the
// number is out of range.
template <std::integral Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace ym
