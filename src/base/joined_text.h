// Texts that are joined at compile time.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace ym {

template <const std::string_view&... kParts>
inline constexpr auto kJoinedChars = [] {
  std::array<char, (kParts.size() + ... + 0)> chars{};
  auto at = chars.begin();
  ((at = std::ranges::copy(kParts, at).out), ...);
  return chars;
}();

// "queue" and ".set" -> "queue.set". The parts must be static constants.
template <const std::string_view&... kParts>
inline constexpr std::string_view kJoined{kJoinedChars<kParts...>.data(), kJoinedChars<kParts...>.size()};

}  // namespace ym
