#include "base/base32.h"

#include "base/assert.h"

namespace ym {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

std::optional<std::uint64_t> digit(char c) {
  if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (c == 'O') c = '0';
  if (c == 'I' || c == 'L') c = '1';
  const auto position = kAlphabet.find(c);
  if (position == std::string_view::npos) return std::nullopt;
  return position;
}

}  // namespace

std::string encode_base32(std::uint64_t value) {
  YM_ASSERT(value < (std::uint64_t{1} << (5 * kIdWidth)));
  std::string text(kIdWidth, '0');
  for (auto it = text.rbegin(); it != text.rend(); ++it, value >>= 5) *it = kAlphabet[value & 31];
  return text;
}

std::optional<std::uint64_t> decode_base32(std::string_view text) {
  if (text.size() != kIdWidth) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto d = digit(c);
    if (!d) return std::nullopt;
    value = value << 5 | *d;
  }
  return value;
}

}  // namespace ym
