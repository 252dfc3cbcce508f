#include "control/state/tokens.h"

#include <array>
#include "control/state/sodium.h"

namespace ym {

Secret make_token() {
  prepare_sodium();
  std::array<unsigned char, 32> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  std::array<char, 64> text{};
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return Secret("ym_" + std::string(text.data()));
}

std::string hash_token(const Secret& token) {
  prepare_sodium();
  std::array<unsigned char, 32> hash{};
  const auto& text = token.reveal();
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  std::array<char, 65> hex{};
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return hex.data();
}

}  // namespace ym
