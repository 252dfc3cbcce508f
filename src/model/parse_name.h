// The names of a closed set, by the numbers of its values. Private to this library.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ym {

template <class Enum, std::size_t Count>
constexpr std::string_view name_of(const std::array<std::string_view, Count>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

template <class Enum, std::size_t Count>
constexpr std::optional<Enum> parse_name(const std::array<std::string_view, Count>& names, std::string_view text) {
  for (std::size_t i = 0; i < Count; ++i)
    if (text == names.at(i)) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace ym
