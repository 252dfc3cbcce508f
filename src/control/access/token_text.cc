#include "control/access/token_text.h"

#include <array>
#include <span>

#include "control/state/sodium.h"

namespace ym {
namespace {

constexpr std::string_view kOfUser = "ymp_", kOfService = "yms_", kOfLogin = "ymc_";
constexpr std::size_t kPrefix = 4, kRandom = 43, kCheck = 4;

std::string base64(std::span<const unsigned char> bytes) {
  std::array<char, 64> text{};
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return text.data();
}

std::array<unsigned char, 32> digest(std::string_view text) {
  std::array<unsigned char, 32> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  return hash;
}

std::string check_of(std::string_view text) { return base64(digest(text)).substr(0, kCheck); }

}  // namespace

Secret make_token(PrincipalKind principal, TokenKind kind) {
  prepare_sodium();
  std::array<unsigned char, 32> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  const std::string_view prefix = kind == TokenKind::login           ? kOfLogin
                                  : principal == PrincipalKind::user ? kOfUser
                                                                     : kOfService;
  const auto text = std::string(prefix) + base64(bytes);
  return Secret(text + check_of(text));
}

bool is_like_token(std::string_view text) {
  return text.starts_with(kOfUser) || text.starts_with(kOfService) || text.starts_with(kOfLogin);
}

bool is_token_text(std::string_view text) {
  prepare_sodium();
  if (text.size() != kPrefix + kRandom + kCheck || !is_like_token(text)) return false;
  return text.substr(kPrefix + kRandom) == check_of(text.substr(0, kPrefix + kRandom));
}

std::string hash_text(std::string_view text) {
  prepare_sodium();
  const auto hash = digest(text);
  std::array<char, 65> hex{};
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return hex.data();
}

std::string token_id(std::string_view hash) {
  constexpr std::size_t kDigits = 12;
  return std::string(hash.substr(0, kDigits));
}

std::string hash_token(const Secret& token) { return hash_text(token.reveal()); }

}  // namespace ym
