// StrongId<Tag>: a 64-bit id that cannot be confused with another kind of id.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace ym {

// Zero means "none"; the store's sequences start at 1.
template <class Tag>
struct StrongId {
  std::uint64_t value = 0;

  constexpr auto operator<=>(const StrongId&) const = default;
  constexpr explicit operator bool() const { return value != 0; }
};

}  // namespace ym

template <class Tag>
struct std::hash<ym::StrongId<Tag>> {
  std::size_t operator()(const ym::StrongId<Tag>& id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value * 0x9E3779B97F4A7C15ULL);
  }
};
