#include "base/base64url.h"

#include <cstdint>

namespace ym {
namespace {

constexpr std::string_view kUrlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned kLetterBits = 6, kByteBits = 8;

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * kByteBits + kLetterBits - 1) / kLetterBits);
  std::uint32_t kept = 0;
  unsigned bits = 0;
  for (const char byte : bytes) {
    kept = kept << kByteBits | static_cast<unsigned char>(byte);
    for (bits += kByteBits; bits >= kLetterBits; bits -= kLetterBits)
      text += kUrlAlphabet[kept >> (bits - kLetterBits) & 0x3F];
  }
  if (bits > 0) text += kUrlAlphabet[kept << (kLetterBits - bits) & 0x3F];
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * kLetterBits / kByteBits);
  std::uint32_t kept = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const auto value = kUrlAlphabet.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    kept = kept << kLetterBits | static_cast<std::uint32_t>(value);
    bits += kLetterBits;
    if (bits < kByteBits) continue;
    bits -= kByteBits;
    bytes += static_cast<char>(kept >> bits & 0xFF);
  }
  // What is left of the last letter must be zeros, and less than a letter.
  const bool whole = bits < kLetterBits && (kept & ((1U << bits) - 1)) == 0;
  return whole ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace ym
