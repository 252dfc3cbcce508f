#include <algorithm>
#include <cstdint>

#include "executor/kubernetes/api/kubeconfig.h"

namespace ym::kubernetes {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

Result<std::string> decode_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == ' ') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos || padding > 0) return fail(ErrorCode::invalid, "not base64");
    bits = (bits << 6U | static_cast<std::uint32_t>(digit)) & 0xFFFFFFU;
    held += 6;
    if (held >= 8) out.push_back(static_cast<char>(bits >> static_cast<unsigned>(held -= 8) & 0xFFU));
  }
  if (padding > 2 || held >= 6) return fail(ErrorCode::invalid, "not base64");
  return out;
}

std::string encode_base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8U | (j < count ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + j])) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out.push_back(j <= count ? kDigits[bits >> (18U - 6U * static_cast<std::uint32_t>(j)) & 63U] : '=');
  }
  return out;
}

}  // namespace ym::kubernetes
