#include "control/access/access_rules.h"

#include <algorithm>
#include <set>

#include "model/access/roles.h"
#include "model/tables.h"

namespace ym {

AccessMode mode_of(const std::optional<AuthSettings>& settings) {
  if (!settings) return AccessMode::everything;
  return settings->enforce ? AccessMode::by_bindings : AccessMode::trial;
}

AccessRules::AccessRules(const Tables& tables, AccessMode mode, Instant now) : mode_(mode), queues_(tables.queues) {
  for (const auto& [name, role] : tables.roles) roles_.emplace(name, Permissions(role.permissions));
  for (const auto& [name, principal] : tables.principals) add_groups(principal, tables, now);
  for (const auto& [name, project] : tables.projects) visibility_.emplace(name, project.visibility);
  std::set<std::string> projects{std::string(kDefaultProject)};
  for (const auto& [name, project] : tables.projects) projects.insert(name);
  for (const auto& [name, queue] : tables.queues) queue_names_.push_back(name);
  for (const auto& [name, binding] : tables.bindings) {
    if (binding.scope.kind == ScopeKind::project) projects.insert(binding.scope.name);
    if (binding.expires_at && *binding.expires_at <= now) continue;
    if (binding.expires_at) expire_at(*binding.expires_at);
    // A binding to a role that was removed gives nothing.
    const auto permissions = permissions_of(binding.role).value_or(Permissions{});
    grants_[binding.grantee].push_back({.permissions = permissions,
                                        .scope = binding.scope,
                                        .role = binding.role,
                                        .binding = name,
                                        .expires_at = binding.expires_at});
  }
  projects_.assign(projects.begin(), projects.end());
}

void AccessRules::add(Rights& rights, const Grantee& grantee) const {
  const auto found = grants_.find(grantee);
  if (found == grants_.end()) return;
  for (const Grant& grant : found->second) rights.add(grant);
}

void AccessRules::expire_at(Instant end) { next_expiry_ = std::min(next_expiry_.value_or(end), end); }

void AccessRules::add_groups(const Principal& principal, const Tables& tables, Instant now) {
  const bool count = principal.issuer_groups_until && *principal.issuer_groups_until > now;
  if (principal.groups.empty() && !principal.provisioned && !count) return;
  auto& groups = groups_[principal.name];
  groups.insert(principal.groups.begin(), principal.groups.end());
  if (principal.provisioned)
    for (const auto& id : principal.provisioned->groups)
      if (const auto row = tables.provisioned_groups.find(id); row != tables.provisioned_groups.end())
        if (!row->second.group.empty()) groups.insert(row->second.group);
  if (!count) return;
  groups.insert(principal.issuer_groups.begin(), principal.issuer_groups.end());
  expire_at(*principal.issuer_groups_until);
}

Rights AccessRules::rights_of(std::string_view principal) const {
  return mode_ == AccessMode::by_bindings ? bound_rights_of(principal) : Rights::all();
}

Rights AccessRules::bound_rights_of(std::string_view principal) const {
  Rights rights;
  add(rights, {Grantee::Kind::principal, std::string(principal)});
  if (const auto groups = groups_.find(principal); groups != groups_.end())
    for (const auto& group : groups->second) add(rights, {Grantee::Kind::group, group});
  return rights;
}

Rights AccessRules::rights_of_group(std::string_view group) const {
  Rights rights;
  add(rights, {Grantee::Kind::group, std::string(group)});
  return rights;
}

std::optional<Permissions> AccessRules::permissions_of(std::string_view role) const {
  if (const BuiltInRole* built_in = find_built_in_role(role)) return built_in->permissions;
  const auto own = roles_.find(role);
  if (own == roles_.end()) return std::nullopt;
  return own->second;
}

Visibility AccessRules::visibility_of(std::string_view project) const {
  const auto found = visibility_.find(project);
  if (found != visibility_.end()) return found->second;
  return project.empty() || project == kDefaultProject ? Project{}.visibility : Visibility::hidden;
}

}  // namespace ym
