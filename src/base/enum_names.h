// Names of closed sets: declared once, as a constexpr `to_string(E)` beside the enum.
//
// It is a switch without a default, so a value without a name does not compile. The rest is derived from it: the
// reading of a name, and the list of all names for messages, schemas and documentation. Values count from 0 without
// gaps. The names are part of the API, of the store and of files: they never change.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ym {

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) {
  { to_string(value) } -> std::same_as<std::string_view>;
};

// The number of values of the set.
template <NamedEnum E>
constexpr std::size_t count_of_values() {
  std::size_t count = 0;
  while (!to_string(static_cast<E>(count)).empty()) ++count;
  return count;
}

// All names, in the order of the values.
template <NamedEnum E>
constexpr auto names_of_values() {
  std::array<std::string_view, count_of_values<E>()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names.at(i) = to_string(static_cast<E>(i));
  return names;
}

template <NamedEnum E>
constexpr auto values_of() {
  std::array<E, count_of_values<E>()> values;
  for (std::size_t i = 0; i < values.size(); ++i) values.at(i) = static_cast<E>(i);
  return values;
}

// Reads what to_string writes. Nothing: the set has no such name.
template <NamedEnum E>
constexpr std::optional<E> parse_enum(std::string_view text) {
  constexpr auto kNames = names_of_values<E>();
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames.at(i) == text) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace ym
