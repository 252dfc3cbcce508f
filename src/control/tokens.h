// Bearer tokens: made at random, kept only as hashes.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/secret.h"
#include "control/command.h"
#include "control/token_commands.h"
#include "store/store.h"

namespace ym {

// 32 random bytes, URL-safe.
Secret make_token();
// BLAKE2b-256 in hex. Tokens carry 256 bits of entropy, so a plain hash is enough.
std::string hash_token(const Secret& token);

// Thread-safe.
class TokenBook {
 public:
  void reset(const std::vector<TokenRecord>& tokens);
  bool empty() const;
  Result<Caller> authenticate(const Secret& token) const;
  // Of those that admit, the oldest first.
  std::vector<TokenView> views() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Caller> by_hash_;
  std::vector<TokenView> views_;
};

}  // namespace ym
