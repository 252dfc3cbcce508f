#include "control/access/project_commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/access/login_commands.h"
#include "control/access/names.h"
#include "control/access/principals.h"
#include "control/access/refusal.h"

namespace ym {
namespace {

constexpr std::size_t kLongestText = 200;
constexpr std::size_t kMostGroups = 1000;

std::unexpected<Error> no_such_project(const std::string& project) {
  return fail(ErrorCode::not_found, fmt::format("there is no project '{}'; see `ym project list`", project));
}

std::unexpected<Error> project_of_file(const Project& project) {
  return fail(ErrorCode::conflict, fmt::format("project '{}' is managed by the server's configuration file; change it "
                                               "there and send the server SIGHUP",
                                               project.name));
}

Result<std::vector<std::string>> read_groups(std::vector<std::string> groups) {
  if (groups.size() > kMostGroups) return fail_field("/groups", fmt::format("at most {} are allowed", kMostGroups));
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (auto named = check_group(fmt::format("/groups/{}", i), groups[i]); !named)
      return std::unexpected(named.error());
  std::ranges::sort(groups);
  const auto repeated = std::ranges::unique(groups);
  groups.erase(repeated.begin(), repeated.end());
  return groups;
}

// A caller that puts a principal into a group gives it the rights of the group.
Result<void> may_put_into(const Access& access, const std::vector<std::string>& groups) {
  for (const auto& group : groups) {
    if (holds(access, access.rules->rights_of_group(group))) continue;
    return fail(ErrorCode::forbidden, fmt::format("group '{}' has rights that you have not yourself", group));
  }
  return {};
}

}  // namespace

Result<AccessChange> change_of(const SetProject& command, const AccessContext& context) {
  const auto access = context.access();
  const auto present = context.tables.projects.find(command.project);
  const bool is_new = present == context.tables.projects.end();
  const bool is_hidden = !is_new && !allows(access, Permission::projects_get, {.project = command.project});
  // A project that the caller does not see is refused as one that is not there.
  const Target target = is_new || is_hidden ? Target{} : Target{.project = command.project};
  if (auto may = require(access, Permission::projects_edit, target); !may) return std::unexpected(may.error());
  if (is_hidden) return no_such_project(command.project);
  if (auto named = check_name("/name", command.project); !named) return std::unexpected(named.error());
  Project project = is_new ? Project{.name = command.project} : present->second;
  if (project.managed_by == ManagedBy::file) return project_of_file(project);
  if (command.description) project.description = *command.description;
  if (command.visibility) project.visibility = *command.visibility;
  if (project.description.size() > kLongestText)
    return fail_field("/description", fmt::format("at most {} bytes", kLongestText));
  AccessChange change;
  change.events.emplace_back(ProjectSet{std::move(project)});
  return change;
}

Result<AccessChange> change_of(const RemoveProject& command, const AccessContext& context) {
  const auto access = context.access();
  const auto present = context.tables.projects.find(command.project);
  if (present == context.tables.projects.end() ||
      !allows(access, Permission::projects_get, {.project = command.project}))
    return no_such_project(command.project);
  for (const Permission one : {Permission::projects_edit, Permission::roles_bind})
    if (auto may = require(access, one, {}); !may) return std::unexpected(may.error());
  if (present->second.managed_by == ManagedBy::file) return project_of_file(present->second);
  const auto has_job = [&](const auto& entry) {
    return entry.second.project == command.project && !is_terminal(entry.second.state);
  };
  if (std::ranges::any_of(context.tables.jobs, has_job))
    return fail(ErrorCode::conflict,
                fmt::format("project '{}' has jobs that have not ended; cancel them first", command.project));
  AccessChange change;
  const Scope scope{ScopeKind::project, command.project};
  for (const auto& [id, binding] : context.tables.bindings)
    if (binding.scope == scope && binding.managed_by == ManagedBy::file)
      return fail(ErrorCode::conflict, fmt::format("the server's configuration file gives roles in project '{}'; "
                                                   "remove them there first",
                                                   command.project));
  for (const auto& [id, binding] : context.tables.bindings)
    if (binding.scope == scope) change.events.emplace_back(BindingRemoved{id});
  change.events.emplace_back(ProjectRemoved{command.project});
  return change;
}

namespace {

// That user can then act as the principal.
Result<void> link(Principal& row, const ChangePrincipal& command, const Access& access, const AccessContext& context) {
  if (row.kind != PrincipalKind::user) return fail_field("/issuer", "a service account logs in at no provider");
  if (auto may = require(access, Permission::identities_impersonate, {}); !may) return may;
  const Principal* taken = find_subject(context.tables, *command.issuer, *command.subject);
  if (taken && taken->name != row.name)
    return fail(ErrorCode::conflict, fmt::format("this user of the provider is '{}' here", taken->handle));
  // What another provider said of it counts no more, and neither does the end of an earlier user of this name.
  if (row.issuer != *command.issuer || (row.provisioned && row.provisioned->state == ProvisionedState::removed))
    row.provisioned.reset();
  row.issuer = *command.issuer;
  row.subject = *command.subject;
  row.awaited = false;
  // These were of another user.
  row.login_name.reset();
  row.issuer_groups.clear();
  row.issuer_groups_until.reset();
  row.issuer_groups_from.reset();
  return {};
}

}  // namespace

Result<AccessChange> change_of(const ChangePrincipal& command, const AccessContext& context) {
  const auto access = context.access();
  const Principal* row = find_handle(context.tables, command.principal);
  if (!row || !allows(access, Permission::identities_get, {}))
    return fail(ErrorCode::not_found, fmt::format("there is no principal '{}'", command.principal));
  if (auto may = require(access, Permission::identities_edit, {}); !may) return std::unexpected(may.error());
  if (!holds(access, access.rules->rights_of(row->name)))
    return fail(ErrorCode::forbidden, fmt::format("'{}' has rights that you have not yourself", command.principal));
  Principal changed = *row;
  if (command.groups) {
    auto groups = read_groups(*command.groups);
    if (!groups) return std::unexpected(groups.error());
    if (auto may = may_put_into(access, *groups); !may) return std::unexpected(may.error());
    changed.groups = std::move(*groups);
  }
  if (command.issuer)
    if (auto linked = link(changed, command, access, context); !linked) return std::unexpected(linked.error());
  // At the machine of the server itself, no provider locks out (`ym admin recover`).
  if (command.disabled == false && context.caller.kind == CallerKind::server) changed.provisioned.reset();
  if (command.disabled == false && is_disabled(changed) && !changed.disabled_at)
    return fail(ErrorCode::conflict,
                fmt::format("the identity provider has disabled '{}'; enable it there", command.principal));
  if (command.disabled && *command.disabled != changed.disabled_at.has_value())
    changed.disabled_at = *command.disabled ? std::optional(context.now) : std::nullopt;
  AccessChange change;
  const bool is_other = changed.issuer != row->issuer || changed.subject != row->subject;
  if (is_other) end_logins(*row, context, change);
  if (changed != *row) change.events.emplace_back(PrincipalSet{std::move(changed)});
  return change;
}

}  // namespace ym
