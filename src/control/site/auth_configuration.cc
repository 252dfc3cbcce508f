#include "control/site/auth_configuration.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/access/binding_id.h"
#include "control/access/names.h"
#include "control/access/principals.h"
#include "model/access/roles.h"

namespace ym {
namespace {

constexpr std::string_view kBy = "server", kGroupPrefix = "group:";

bool has_role(const Tables& tables, const std::string& role) {
  return find_built_in_role(role) != nullptr || tables.roles.contains(role);
}

bool has_place(const Tables& tables, const DesiredState& desired, const Scope& scope) {
  const auto among = [&](const auto& rows) {
    return std::ranges::any_of(rows, [&](const auto& row) { return row.name == scope.name; });
  };
  switch (scope.kind) {
    case ScopeKind::site: return true;
    case ScopeKind::project:
      return scope.name == kDefaultProject || tables.projects.contains(scope.name) || among(desired.auth->projects);
    case ScopeKind::queue: {
      const bool is_own = desired.queues.empty() && scope.name == kDefaultQueue;  // it is made if there is none
      const auto row = tables.queues.find(scope.name);
      const bool stays = row != tables.queues.end() && row->second.managed_by == ManagedBy::api;
      return is_own || stays || among(desired.queues);
    }
    case ScopeKind::cluster: return among(desired.clusters);
  }
  return false;
}

Result<void> check_grantee(const Tables& tables, const std::string& pointer, const std::string& to) {
  if (to.starts_with(kGroupPrefix)) return check_group(pointer, to.substr(kGroupPrefix.size()));
  const Principal* row = principal_of(tables, to);
  if (row && row->handle != to && !find_handle(tables, to))
    return fail_field(pointer, fmt::format("'{}' was the name of another principal", to));
  return check_handle(pointer, to);
}

Result<void> check_one(const Tables& tables, const DesiredState& desired, const RoleGiven& given,
                       const std::string& pointer) {
  if (!has_role(tables, given.role))
    return fail_field(pointer + "/role", fmt::format("there is no role '{}'; see `ym role list`", given.role));
  if (auto named = check_grantee(tables, pointer + "/to", given.to); !named) return named;
  if (has_place(tables, desired, given.scope)) return {};
  return fail_field(pointer + "/scope", fmt::format("there is no {}", to_string(given.scope)));
}

// Makes the principal if there is none.
Grantee grantee_of(Staging& staging, const std::string& to) {
  if (to.starts_with(kGroupPrefix)) return {.kind = Grantee::Kind::group, .name = to.substr(kGroupPrefix.size())};
  if (const Principal* row = find_handle(staging.tables(), to)) return {.name = row->name};
  Principal row{.name = to,
                .handle = to,
                .created_at = staging.now(),
                .created_by = std::string(kBy),
                .disabled_at = {},
                .awaited = true};
  staging.add(std::string(kBy), PrincipalSet{std::move(row)}, "the configuration file gives it a role");
  return {.name = to};
}

std::map<std::string, Binding> bindings_of(Staging& staging, const std::vector<RoleGiven>& given) {
  std::map<std::string, Binding> rows;
  for (const RoleGiven& one : given) {
    Binding row{.role = one.role,
                .grantee = grantee_of(staging, one.to),
                .scope = one.scope,
                .created_by = std::string(kBy),
                .managed_by = ManagedBy::file};
    row.name = binding_id(row);
    rows.insert_or_assign(row.name, std::move(row));
  }
  return rows;
}

void stage_projects(Staging& staging, const std::vector<Project>& projects) {
  for (const Project& project : projects) {
    const auto present = staging.tables().projects.find(project.name);
    if (present == staging.tables().projects.end() || present->second != project)
      staging.add(std::string(kBy), ProjectSet{project});
  }
}

void stage_bindings(Staging& staging, const std::map<std::string, Binding>& wanted) {
  for (const auto& [id, present] : std::map(staging.tables().bindings))
    if (present.managed_by == ManagedBy::file && !wanted.contains(id))
      staging.add(std::string(kBy), BindingRemoved{id}, "the configuration file has it no more");
  for (const auto& [id, binding] : wanted) {
    const auto present = staging.tables().bindings.find(id);
    if (present == staging.tables().bindings.end() || present->second != binding)
      staging.add(std::string(kBy), BindingSet{binding});
  }
}

// Whether a binding or a job that has not ended is in the project.
bool is_used(const Tables& tables, const std::string& project) {
  const Scope scope{ScopeKind::project, project};
  return std::ranges::any_of(tables.bindings, [&](const auto& entry) { return entry.second.scope == scope; }) ||
         std::ranges::any_of(tables.jobs, [&](const auto& entry) {
           return entry.second.project == project && !is_terminal(entry.second.state);
         });
}

void stage_missing_projects(Staging& staging, const std::vector<Project>& wanted) {
  for (const auto& [name, present] : std::map(staging.tables().projects)) {
    const bool stays = std::ranges::find(wanted, name, &Project::name) != wanted.end();
    if (present.managed_by != ManagedBy::file || stays) continue;
    if (!is_used(staging.tables(), name)) {
      staging.add(std::string(kBy), ProjectRemoved{name}, "the configuration file has it no more");
      continue;
    }
    Project kept = present;
    kept.managed_by = ManagedBy::api;
    staging.add(std::string(kBy), ProjectSet{std::move(kept)}, "the configuration file has it no more; it is in use");
  }
}

}  // namespace

Result<void> check_auth(const Tables& tables, const DesiredState& desired) {
  if (!desired.auth) return {};
  const auto& bindings = desired.auth->bindings;
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (auto checked = check_one(tables, desired, bindings[i], fmt::format("/auth/bindings/{}", i)); !checked)
      return checked;
  for (std::size_t i = 0; i < desired.auth->projects.size(); ++i)
    if (auto named = check_name(fmt::format("/auth/projects/{}/name", i), desired.auth->projects[i].name); !named)
      return named;
  return {};
}

void stage_auth(Staging& staging, const AuthSettings& auth) {
  stage_projects(staging, auth.projects);
  stage_bindings(staging, bindings_of(staging, auth.bindings));
  stage_missing_projects(staging, auth.projects);
}

}  // namespace ym
