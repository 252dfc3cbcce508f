// AccessToken: a secret that proves who sends a request. Only its hash is kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace ym {

// What a token comes from. A login's is shorter-lived, ends with the login, and is no secret to store.
enum class TokenKind : std::uint8_t {
  made,  // by a command
  login
};
constexpr std::string_view to_string(TokenKind value) {
  switch (value) {
    case TokenKind::made: return "made";
    case TokenKind::login: return "login";
  }
  return {};
}

// A request has the rights of the token's principal that are also within the token's scopes.
struct AccessToken {
  static constexpr std::string_view kTable = "access_tokens", kRow = "token";
  static constexpr bool kConcernsEngine = false;
  std::string name;  // its id: the first digits of the hash
  std::string hash;  // lower-case hex
  std::string principal;
  // Roles ("viewer"), permissions ("jobs.get") and scopes ("project:vision"). A right has to be in one of the roles or
  // permissions, if there are any, and within one of the scopes, if there are any.
  std::vector<std::string> scopes;
  Instant created_at;
  std::optional<Instant> expires_at;  // nothing: it does not expire
  std::string created_by;             // principal
  std::string note;
  TokenKind kind = TokenKind::made;
  // Hash of the proof that it was given for, if that counts once; empty: of none.
  std::string proof;
  std::optional<Instant> last_used_at;  // to about an hour; nothing: not yet
  std::optional<Duration> idle_limit;   // without a use in this time it ends; nothing: use does not matter
  bool operator==(const AccessToken&) const = default;
};

}  // namespace ym
