#include "control/serve/token_book.h"

#include <algorithm>
#include <utility>

#include "control/state/tokens.h"

namespace ym {

void TokenBook::reset(const std::vector<TokenRecord>& tokens) {
  const std::lock_guard lock(mutex_);
  filled_ = true;
  by_hash_.clear();
  views_.clear();
  for (const auto& token : tokens) {
    if (token.role == kRevoked) continue;
    by_hash_[token.hash] = {token.principal, token.role};
    views_.push_back(view_of(token));
  }
  std::ranges::sort(views_, {}, [](const TokenView& view) { return std::pair(view.created_at, view.id); });
}

std::vector<TokenView> TokenBook::views() const {
  const std::lock_guard lock(mutex_);
  return views_;
}

Result<Caller> TokenBook::authenticate(const Secret& token) const {
  // A look-up by hash: its time reveals nothing about existing tokens.
  const auto hash = hash_token(token);
  const std::lock_guard lock(mutex_);
  if (!filled_) return fail(ErrorCode::unavailable, std::string(kStateNotRead));
  const auto it = by_hash_.find(hash);
  if (it != by_hash_.end()) return it->second;
  return fail(ErrorCode::unauthenticated, "the token is not known to this server");
}

}  // namespace ym
