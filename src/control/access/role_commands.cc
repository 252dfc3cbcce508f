#include "control/access/role_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "control/access/binding_id.h"
#include "control/access/names.h"
#include "control/access/principals.h"
#include "control/access/refusal.h"

namespace ym {
namespace {

constexpr std::size_t kLongestDescription = 200;
constexpr std::string_view kGroupPrefix = "group:";

std::unexpected<Error> no_such_role(const std::string& role) {
  return fail(ErrorCode::not_found, fmt::format("there is no role '{}'; see `ym role list`", role));
}

std::unexpected<Error> no_such_binding(const std::string& binding) {
  return fail(ErrorCode::not_found, fmt::format("there is no binding '{}'; see `ym role bindings`", binding));
}

// Errors: `forbidden`: the caller lacks one of these permissions at the scope.
Result<void> require_all(const Access& access, Permissions permissions, const Scope& scope) {
  for (const Permission one : values_of<Permission>())
    if (permissions.has(one) && !allows(access, one, target_of(scope)))
      return fail(ErrorCode::forbidden,
                  fmt::format("the role has the permission {}, which you have not yourself at the scope {}",
                              to_string(one), to_string(scope)));
  return {};
}

// Errors: `invalid`: the scope's project, queue or cluster does not exist. A binding must not wait for one, because the
// user that makes it later would not know of the binding.
Result<void> check_scope(const Tables& tables, const Scope& scope) {
  const auto is_there = [&] {
    switch (scope.kind) {
      case ScopeKind::site: return true;
      case ScopeKind::project: return scope.name == kDefaultProject || tables.projects.contains(scope.name);
      case ScopeKind::queue: return tables.queues.contains(scope.name);
      case ScopeKind::cluster: return tables.clusters.contains(scope.name);
    }
    return false;
  };
  if (is_there()) return {};
  return fail_field("/scope", fmt::format("there is no {} '{}'", to_string(scope.kind), scope.name));
}

Result<Grantee> grantee_of(const AccessContext& context, const std::string& to) {
  if (to.starts_with(kGroupPrefix)) {
    Grantee group{.kind = Grantee::Kind::group, .name = to.substr(kGroupPrefix.size())};
    if (auto named = check_group("/to", group.name); !named) return std::unexpected(named.error());
    return group;
  }
  const Principal* row = find_handle(context.tables, to);
  if (!row)
    return fail_field("/to", fmt::format("there is no principal '{}'; write group:{} for a group, or make it first: "
                                         "`ym token create --for {}`",
                                         to, to, to));
  return Grantee{.kind = Grantee::Kind::principal, .name = row->name};
}

// The bindings of a role.
std::vector<std::string> bindings_of(const Tables& tables, const std::string& role) {
  std::vector<std::string> ids;
  for (const auto& [id, binding] : tables.bindings)
    if (binding.role == role) ids.push_back(id);
  return ids;
}

// When a new binding ends. A right that ends is not given for longer. Errors: `invalid`, at /ttl.
Result<std::optional<Instant>> end_of(const BindRole& command, const Access& access, Permissions permissions,
                                      Instant now) {
  std::optional<Instant> most;
  for (const Permission one : values_of<Permission>()) {
    if (!permissions.has(one)) continue;
    const auto* grant = access.rights->find(one, target_of(command.scope), access.rules->queues());
    if (grant && grant->expires_at) most = std::min(most.value_or(*grant->expires_at), *grant->expires_at);
  }
  if (!command.lifetime) return most;
  if (command.lifetime->ms <= 0) return fail_field("/ttl", "must be more than 0");
  const Instant wanted = now + *command.lifetime;
  if (most && wanted > *most)
    return fail_field("/ttl", fmt::format("your own right to this ends at {}", to_rfc3339(*most)));
  return wanted;
}

std::unexpected<Error> binding_of_file(const std::string& binding) {
  return fail(ErrorCode::conflict, fmt::format("binding '{}' is managed by the server's configuration file; change it "
                                               "there and send the server SIGHUP",
                                               binding));
}

// Whether the binding is new, or replaces one of the same three.
Result<void> may_replace(const Tables& tables, const Binding& binding) {
  const auto present = tables.bindings.find(binding.name);
  if (present == tables.bindings.end()) return {};
  if (present->second.managed_by == ManagedBy::file) return binding_of_file(binding.name);
  const bool is_same = present->second.role == binding.role && present->second.grantee == binding.grantee &&
                       present->second.scope == binding.scope;
  if (is_same) return {};
  return fail(ErrorCode::conflict, fmt::format("another binding has the id {}", binding.name));
}

}  // namespace

Result<AccessChange> change_of(const SetRole& command, const AccessContext& context) {
  const auto access = context.access();
  const Role& role = command.role;
  if (auto may = require(access, Permission::roles_edit, {}); !may) return std::unexpected(may.error());
  if (auto named = check_name("/name", role.name); !named) return std::unexpected(named.error());
  if (find_built_in_role(role.name)) return fail_field("/name", fmt::format("'{}' is a built-in role", role.name));
  if (role.description.size() > kLongestDescription)
    return fail_field("/description", fmt::format("at most {} bytes", kLongestDescription));
  if (parse_scope(role.name) || parse_enum<Permission>(role.name))
    return fail_field("/name", fmt::format("'{}' is a scope or a permission", role.name));
  // Each of its bindings gives the new permissions, and no longer the old ones, wherever it is.
  const auto changed = Permissions(role.permissions) | access.rules->permissions_of(role.name).value_or(Permissions{});
  if (auto may = require_all(access, changed, {}); !may) return std::unexpected(may.error());
  AccessChange change;
  Role row = role;
  std::ranges::sort(row.permissions);
  const auto repeated = std::ranges::unique(row.permissions);
  row.permissions.erase(repeated.begin(), repeated.end());
  change.events.emplace_back(RoleSet{std::move(row)});
  return change;
}

Result<AccessChange> change_of(const RemoveRole& command, const AccessContext& context) {
  const auto access = context.access();
  if (auto may = require(access, Permission::roles_edit, {}); !may) return std::unexpected(may.error());
  if (find_built_in_role(command.role))
    return fail(ErrorCode::conflict, fmt::format("'{}' is a built-in role and stays", command.role));
  if (!context.tables.roles.contains(command.role)) return no_such_role(command.role);
  if (const auto used = bindings_of(context.tables, command.role); !used.empty())
    return fail(ErrorCode::conflict, fmt::format("role '{}' is bound; remove these bindings first: {}", command.role,
                                                 fmt::join(used, ", ")));
  AccessChange change;
  change.events.emplace_back(RoleRemoved{command.role});
  return change;
}

Result<AccessChange> change_of(const BindRole& command, const AccessContext& context) {
  const auto access = context.access();
  const auto permissions = access.rules->permissions_of(command.role);
  if (!permissions) return fail_field("/role", fmt::format("there is no role '{}'; see `ym role list`", command.role));
  if (auto may = require(access, Permission::roles_bind, target_of(command.scope)); !may)
    return std::unexpected(may.error());
  if (auto there = check_scope(context.tables, command.scope); !there) return std::unexpected(there.error());
  if (auto may = require_all(access, *permissions, command.scope); !may) return std::unexpected(may.error());
  auto grantee = grantee_of(context, command.to);
  if (!grantee) return std::unexpected(grantee.error());
  const auto expires = end_of(command, access, *permissions, context.now);
  if (!expires) return std::unexpected(expires.error());
  Binding binding{.role = command.role,
                  .grantee = std::move(*grantee),
                  .scope = command.scope,
                  .expires_at = *expires,
                  .created_by = actor_of(context.caller)};
  binding.name = binding_id(binding);
  if (auto may = may_replace(context.tables, binding); !may) return std::unexpected(may.error());
  AccessChange change{.binding = binding};
  change.events.emplace_back(BindingSet{std::move(binding)});
  return change;
}

Result<AccessChange> change_of(const UnbindRole& command, const AccessContext& context) {
  const auto access = context.access();
  const auto row = context.tables.bindings.find(command.binding);
  if (row == context.tables.bindings.end()) return no_such_binding(command.binding);
  const Target target = target_of(row->second.scope);
  if (!allows(access, Permission::roles_get, target)) return no_such_binding(command.binding);
  if (auto may = require(access, Permission::roles_bind, target); !may) return std::unexpected(may.error());
  const auto permissions = access.rules->permissions_of(row->second.role).value_or(Permissions{});
  if (auto may = require_all(access, permissions, row->second.scope); !may) return std::unexpected(may.error());
  if (row->second.managed_by == ManagedBy::file) return binding_of_file(command.binding);
  AccessChange change{.binding = row->second};
  change.events.emplace_back(BindingRemoved{command.binding});
  return change;
}

}  // namespace ym
