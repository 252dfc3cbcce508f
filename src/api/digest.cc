#include "api/digest.h"

#include <openssl/evp.h>

#include <array>
#include <span>

#include "base/assert.h"

namespace ym::api {

std::string sha256_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  YM_ASSERT(EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr) == 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(std::size_t{size} * 2);
  for (const unsigned byte : std::span(hash).first(size)) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 0xfU];
  }
  return hex;
}

}  // namespace ym::api
