// TokenLimits: how a token narrows the rights of its principal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/access/access_rules.h"

namespace ym {

// A value. Without limits, a token has all the rights of its principal.
//
// With scopes, a target has to be in one of them. With scopes of several kinds it has to be in one of each kind that
// the target has: project:cars and queue:night together are the jobs of that project in that queue.
struct TokenLimits {
  std::optional<Permissions> permissions{};  // nothing: any
  std::vector<Scope> scopes{};               // empty: anywhere; never the site

  // Those of a token that is not valid.
  static TokenLimits nothing() { return {.permissions = Permissions{}}; }

  bool is_none() const { return !permissions && scopes.empty(); }
  bool permit(Permission permission, const Target& target, const QueueTree& queues) const;
  // Whether a token with the other limits can do no more than one with these.
  bool include(const TokenLimits& other, const QueueTree& queues) const;
};

// The limits that a token's scopes mean (AccessToken::scopes). The role admin and the scope site limit nothing. A name
// that means nothing permits nothing.
TokenLimits limits_of(const std::vector<std::string>& scopes, const AccessRules& rules);

// The scopes as they are stored: roles of the site are replaced by their permissions, because a role may change.
// Errors: `invalid`: one of the scopes is no role, permission or scope.
Result<std::vector<std::string>> read_token_scopes(const std::vector<std::string>& scopes, const AccessRules& rules);

}  // namespace ym
