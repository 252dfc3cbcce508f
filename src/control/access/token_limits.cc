#include "control/access/token_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/access/roles.h"

namespace ym {
namespace {

// The permissions that one of a token's scopes names. Nothing: it names none.
std::optional<Permissions> permissions_named(const std::string& text, const AccessRules& rules) {
  if (const auto permission = parse_enum<Permission>(text)) return Permissions{*permission};
  return rules.permissions_of(text);
}

std::string_view name_in(const Target& target, ScopeKind kind) {
  switch (kind) {
    case ScopeKind::site: return {};
    case ScopeKind::project: return target.project;
    case ScopeKind::queue: return target.queue;
    case ScopeKind::cluster: return target.cluster;
  }
  return {};
}

std::set<ScopeKind> kinds_of(const std::vector<Scope>& scopes) {
  std::set<ScopeKind> kinds;
  for (const Scope& scope : scopes) kinds.insert(scope.kind);
  return kinds;
}

bool any_covers(const std::vector<Scope>& scopes, ScopeKind kind, const Target& target, const QueueTree& queues) {
  return std::ranges::any_of(scopes,
                             [&](const Scope& scope) { return scope.kind == kind && covers(scope, target, queues); });
}

}  // namespace

bool TokenLimits::permit(Permission permission, const Target& target, const QueueTree& queues) const {
  if (permissions && !permissions->has(permission)) return false;
  if (scopes.empty()) return true;
  bool is_within = false;
  for (const ScopeKind kind : kinds_of(scopes)) {
    if (name_in(target, kind).empty()) continue;
    if (!any_covers(scopes, kind, target, queues)) return false;
    is_within = true;
  }
  return is_within;
}

// With other kinds of scopes, one of the tokens would reach targets that the other does not.
bool TokenLimits::include(const TokenLimits& other, const QueueTree& queues) const {
  if (permissions && (!other.permissions || !permissions->contains(*other.permissions))) return false;
  if (scopes.empty()) return true;
  return kinds_of(scopes) == kinds_of(other.scopes) && std::ranges::all_of(other.scopes, [&](const Scope& inner) {
           return any_covers(scopes, inner.kind, target_of(inner), queues);
         });
}

TokenLimits limits_of(const std::vector<std::string>& scopes, const AccessRules& rules) {
  TokenLimits limits;
  bool is_anywhere = false;
  for (const auto& text : scopes) {
    if (auto scope = parse_scope(text)) {
      is_anywhere = is_anywhere || scope->kind == ScopeKind::site;
      limits.scopes.push_back(std::move(*scope));
      continue;
    }
    if (!limits.permissions) limits.permissions.emplace();
    *limits.permissions |= permissions_named(text, rules).value_or(Permissions{});
  }
  if (is_anywhere) limits.scopes.clear();
  if (limits.permissions == Permissions::all()) limits.permissions.reset();
  return limits;
}

Result<std::vector<std::string>> read_token_scopes(const std::vector<std::string>& scopes, const AccessRules& rules) {
  std::set<std::string> stored;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const auto permissions = permissions_named(scopes[i], rules);
    if (parse_scope(scopes[i]) || parse_enum<Permission>(scopes[i]) || find_built_in_role(scopes[i])) {
      stored.insert(scopes[i]);
    } else if (permissions && !permissions->empty()) {
      for (const Permission one : values_of<Permission>())
        if (permissions->has(one)) stored.insert(std::string(to_string(one)));
    } else {
      return fail_field(fmt::format("/scopes/{}", i),
                        fmt::format("there is no role with permissions, no permission and no scope '{}'; write, for "
                                    "example, viewer, jobs.get or project:vision",
                                    scopes[i]));
    }
  }
  return std::vector<std::string>(stored.begin(), stored.end());
}

}  // namespace ym
