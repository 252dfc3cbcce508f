// TokenLimits: how a token narrows the rights of its principal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/access/access_rules.h"

namespace ym {

// A value. Without limits, a token has all the rights of its principal.
struct TokenLimits {
  std::optional<Permissions> permissions;  // nothing: any
  std::vector<Scope> scopes;               // empty: anywhere; else in one of these

  bool permit(Permission permission, const Target& target, const QueueTree& queues) const;
  // Whether a token with the other limits can do no more than one with these.
  bool include(const TokenLimits& other, const QueueTree& queues) const;
};

// The limits that a token's scopes mean (AccessToken::scopes). A name that means nothing any more, because its role was
// removed, permits nothing.
TokenLimits limits_of(const std::vector<std::string>& scopes, const AccessRules& rules);

// Errors: `invalid`: one of the scopes is no role, permission or scope.
Result<void> check_token_scopes(const std::vector<std::string>& scopes, const AccessRules& rules);

}  // namespace ym
