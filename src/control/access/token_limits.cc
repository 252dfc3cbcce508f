#include "control/access/token_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym {
namespace {

// The permissions that one of a token's scopes names. Nothing: it names none.
std::optional<Permissions> permissions_named(const std::string& text, const AccessRules& rules) {
  if (const auto permission = parse_enum<Permission>(text)) return Permissions{*permission};
  return rules.permissions_of(text);
}

}  // namespace

bool TokenLimits::permit(Permission permission, const Target& target, const QueueTree& queues) const {
  if (permissions && !permissions->has(permission)) return false;
  return scopes.empty() ||
         std::ranges::any_of(scopes, [&](const Scope& scope) { return covers(scope, target, queues); });
}

bool TokenLimits::include(const TokenLimits& other, const QueueTree& queues) const {
  if (permissions && (!other.permissions || !permissions->contains(*other.permissions))) return false;
  if (scopes.empty()) return true;
  const auto within = [&](const Scope& inner) {
    return std::ranges::any_of(scopes, [&](const Scope& outer) { return covers(outer, target_of(inner), queues); });
  };
  return !other.scopes.empty() && std::ranges::all_of(other.scopes, within);
}

TokenLimits limits_of(const std::vector<std::string>& scopes, const AccessRules& rules) {
  TokenLimits limits;
  for (const auto& text : scopes) {
    if (auto scope = parse_scope(text)) {
      limits.scopes.push_back(std::move(*scope));
      continue;
    }
    if (!limits.permissions) limits.permissions.emplace();
    *limits.permissions |= permissions_named(text, rules).value_or(Permissions{});
  }
  return limits;
}

Result<void> check_token_scopes(const std::vector<std::string>& scopes, const AccessRules& rules) {
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    if (parse_scope(scopes[i]) || permissions_named(scopes[i], rules)) continue;
    return fail_field(fmt::format("/scopes/{}", i),
                      fmt::format("there is no role, permission or scope '{}'; write, for example, viewer, jobs.get or "
                                  "project:vision",
                                  scopes[i]));
  }
  return {};
}

}  // namespace ym
