#include "oidc/digest.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>

#include "base/assert.h"
#include "base/base64url.h"

namespace ym::oidc {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  YM_ASSERT(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string random_bytes() {
  std::array<unsigned char, 32> bytes{};
  YM_ASSERT(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string random_text() { return to_base64url(random_bytes()); }

}  // namespace ym::oidc
