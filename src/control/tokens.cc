#include "control/tokens.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"
#include "control/token_commands.h"

namespace ym {

namespace {

// Before anything else of the library is used; again is harmless, from any thread.
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

void TokenBook::reset(const std::vector<TokenRecord>& tokens) {
  const std::lock_guard lock(mutex_);
  by_hash_.clear();
  views_.clear();
  for (const auto& token : tokens) {
    if (token.role == kRevoked) continue;
    by_hash_[token.hash] = {token.principal, token.role};
    views_.push_back(view_of(token));
  }
  std::ranges::sort(views_, {}, [](const TokenView& view) { return std::pair(view.created_at, view.id); });
}

bool TokenBook::empty() const {
  const std::lock_guard lock(mutex_);
  return by_hash_.empty();
}

std::vector<TokenView> TokenBook::views() const {
  const std::lock_guard lock(mutex_);
  return views_;
}

Result<Caller> TokenBook::authenticate(const Secret& token) const {
  // Looked up by hash: how long it takes says nothing about a token that exists.
  const auto hash = hash_token(token);
  const std::lock_guard lock(mutex_);
  const auto it = by_hash_.find(hash);
  if (it != by_hash_.end()) return it->second;
  return fail(ErrorCode::unauthenticated, "the token is not known to this server");
}

}  // namespace ym
