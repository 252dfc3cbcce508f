// FNV-1a, 64 bits (Fowler, Noll, Vo): detects torn writes and flipped bytes. Not for secrets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ym::local {

constexpr std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325ULL;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return sum;
}

// Sixteen lower-case digits.
inline std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace ym::local
