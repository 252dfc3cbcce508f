// Text that is one whole number, and nothing else.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace ym {

// In decimal, with a minus at most. Nothing: it is empty, something stands before or behind
// the number, or it is out of range.
template <std::integral Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace ym
