// The commands on tokens, as values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/secret.h"
#include "base/time.h"
#include "model/access/access_token.h"
#include "model/access/principal.h"

namespace ym {

// Makes a token of a principal. A request of an administrator also makes the principal, if there is none.
struct CreateToken {
  std::string principal;                // empty: the caller's own
  std::optional<PrincipalKind> kind{};  // of a principal that is made; of one that is there: a check
  // As AccessToken::scopes. Nothing: those of the caller's token, if it is for the caller; of others the mode's
  // default.
  std::optional<std::vector<std::string>> scopes{};
  std::optional<Duration> lifetime{};  // nothing: the longest that is allowed
  std::string note{};
};
struct RevokeToken {
  std::string id;
};
// Makes a new token without limits of the principal, which gets the role admin if it has it not, and revokes all its
// other tokens without limits.
struct RotateAdminToken {
  std::string principal;
  bool keeps_others = false;  // revokes none
};

// A token that a command made or revoked.
struct TokenReply {
  AccessToken token;
  std::optional<Secret> secret{};  // of a new token; it is not stored
};

}  // namespace ym
