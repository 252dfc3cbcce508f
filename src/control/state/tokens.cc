#include "control/state/tokens.h"

#include <sodium.h>

#include <array>

#include "base/assert.h"

namespace ym {

namespace {

// Must run before any other call of the library. Repeated calls, from any thread, are harmless.
void prepare() { YM_ASSERT(sodium_init() >= 0); }

}  // namespace

Secret make_token() {
  prepare();
  std::array<unsigned char, 32> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  std::array<char, 64> text{};
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return Secret("ym_" + std::string(text.data()));
}

std::string hash_token(const Secret& token) {
  prepare();
  std::array<unsigned char, 32> hash{};
  const auto& text = token.reveal();
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  std::array<char, 65> hex{};
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return hex.data();
}

}  // namespace ym
