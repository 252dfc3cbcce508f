// TokenBook: the caller of each bearer token.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "control/caller.h"
#include "control/commands/token_commands.h"
#include "store/store.h"

namespace ym {

// The message before the state is read for the first time.
inline constexpr std::string_view kStateNotRead = "this server stands by, and the state could not be read yet";

// Thread-safe.
class TokenBook {
 public:
  void reset(const std::vector<TokenRecord>& tokens);
  // Errors: `unauthenticated`; `unavailable` before the first reset.
  Result<Caller> authenticate(const Secret& token) const;
  // The tokens that are not revoked, the oldest first.
  std::vector<TokenView> views() const;

 private:
  mutable std::mutex mutex_;
  bool filled_ = false;
  std::map<std::string, Caller> by_hash_;
  std::vector<TokenView> views_;
};

}  // namespace ym
