#include "control/access/provision/provision_commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/access/login_commands.h"
#include "control/access/names.h"
#include "control/access/principals.h"
#include "control/access/refusal.h"
#include "control/access/token_commands.h"
#include "model/access/login_settings.h"

namespace ym {
namespace {

constexpr std::size_t kLongestProvisioned = 256;

Result<void> check_provisioned_text(std::string_view pointer, const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (text.size() <= kLongestProvisioned && std::ranges::none_of(text, is_control)) return {};
  return fail_field(std::string(pointer),
                    fmt::format("at most {} bytes, and no control characters", kLongestProvisioned));
}

std::unexpected<Error> not_provisioned(std::string_view what, const std::string& id) {
  return fail(ErrorCode::not_found, fmt::format("the provider has no {} '{}' here", what, id));
}

std::unexpected<Error> is_there_already(const std::string& name) {
  return fail(ErrorCode::conflict,
              fmt::format("'{}' is another principal here, or was one; an administrator can say that it is this user: "
                          "ym identity link",
                          name));
}

// The user with this id, if the issuer has made it and not removed it.
const Principal* find_user(const Tables& tables, std::string_view issuer, std::string_view id) {
  const Principal* row = principal_of(tables, id);
  const bool fits =
      row && row->issuer == issuer && row->provisioned && row->provisioned->state != ProvisionedState::removed;
  return fits ? row : nullptr;
}

// The principal that has logged in from this issuer with this name, or waits for its first login, or has the name as
// its handle: that of a user that the provider has renamed since, too.
const Principal* find_present(const Tables& tables, const ProvisionUser& command) {
  if (command.subject)
    if (const Principal* row = find_subject(tables, command.issuer, *command.subject)) return row;
  const auto find = [&](const auto& has_name) -> const Principal* {
    const auto is_it = [&](const auto& entry) {
      return entry.second.issuer == command.issuer && has_name(entry.second, *command.user_name);
    };
    const auto row = std::ranges::find_if(tables.principals, is_it);
    return row == tables.principals.end() ? nullptr : &row->second;
  };
  if (const Principal* row = find(has_login_name)) return row;
  if (const Principal* row = find_handle(tables, *command.user_name)) return row;
  return find([](const Principal& row, std::string_view name) { return same_login_name(row.handle, name); });
}

// A name that was given otherwise stays what it is: it may have jobs and tokens of another person. A row of before
// login names were stored has its handle alone.
bool may_take_over(const Principal& row, const ProvisionUser& command) {
  if (row.kind != PrincipalKind::user || row.provisioned) return false;
  if (row.awaited) return command.takes_awaited;
  if (row.issuer != command.issuer) return false;
  if (command.subject) return row.subject == *command.subject;
  return !row.login_name || has_login_name(row, *command.user_name);
}

// Neither the name that the provider gives nor the row that it means may be of an account of the server.
Result<void> check_reserved(const ProvisionUser& command, const Principal& row) {
  for (const auto& handle : command.reserved)
    if (handle == row.handle || handle == command.user_name)
      return fail(ErrorCode::conflict, fmt::format("'{}' is the name of an account of this server", handle));
  return {};
}

// The row of a user that the provider makes.
Result<Principal> user_for(const ProvisionUser& command, const AccessContext& context) {
  const auto& name = *command.user_name;
  if (auto fits = check_handle("/userName", name); !fits) return std::unexpected(fits.error());
  const Principal* present = find_present(context.tables, command);
  if (present && !may_take_over(*present, command)) return is_there_already(name);
  auto row = present ? Result<Principal>(*present) : new_principal(name, context);
  if (!row) return row;
  row->issuer = command.issuer;
  row->awaited = false;
  row->provisioned.emplace().user_name = name;
  return row;
}

Result<void> set_name(Principal& row, const ProvisionUser& command, const Tables& tables) {
  if (!command.user_name) return {};
  if (auto fits = check_handle("/userName", *command.user_name); !fits) return fits;
  const Principal* other = find_provisioned(tables, command.issuer, *command.user_name);
  if (other && other->name != row.name) return is_there_already(*command.user_name);
  row.provisioned->user_name = *command.user_name;
  return {};
}

// A principal that has logged in stays the user that it is.
Result<void> set_subject(Principal& row, const ProvisionUser& command, const Tables& tables) {
  if (!command.subject || *command.subject == row.subject) return {};
  if (auto fits = check_provisioned_text("/externalId", *command.subject); !fits) return fits;
  if (!row.subject.empty() || find_subject(tables, command.issuer, *command.subject))
    return fail(ErrorCode::conflict, fmt::format("'{}' or another principal is a user of the provider already, with "
                                                 "another externalId",
                                                 row.handle));
  row.subject = *command.subject;
  return {};
}

Result<void> set_texts(Principal& row, const ProvisionUser& command) {
  const auto set = [](std::string_view pointer, const std::optional<std::string>& said,
                      std::string& kept) -> Result<void> {
    if (!said) return {};
    if (auto fits = check_provisioned_text(pointer, *said); !fits) return fits;
    kept = *said;
    return {};
  };
  if (auto fits = set("/externalId", command.external_id, row.provisioned->external_id); !fits) return fits;
  if (auto fits = set("/displayName", command.display, row.display); !fits) return fits;
  return set("/emails", command.email, row.email);
}

Result<void> check_provider(const AccessContext& context) {
  const auto access = context.access();
  // The answer shows what is there now.
  if (auto may = require(access, Permission::identities_get, {}); !may) return may;
  return require(access, Permission::identities_edit, {});
}

// Puts the principal out of the group. What its last login said of the group is older than this.
void leave(Principal& row, const ProvisionedGroup& group, Instant now) {
  std::erase(row.provisioned->groups, group.name);
  if (std::erase(row.issuer_groups, group.group) > 0) row.issuer_groups_from = now;
}

void join(Principal& row, const std::string& group) {
  auto& groups = row.provisioned->groups;
  const auto place = std::ranges::lower_bound(groups, group);
  if (place == groups.end() || *place != group) groups.insert(place, group);
}

Result<void> check_members(const ProvisionGroup& command, const Tables& tables) {
  for (const auto& member : command.members.added())
    if (!find_user(tables, command.issuer, member))
      return fail_field("/members", fmt::format("the provider has no user '{}' here", member.substr(0, 64)));
  return {};
}

void change_members(const ProvisionGroup& command, const ProvisionedGroup& before, const AccessContext& context,
                    AccessChange& change) {
  if (command.members.is_none()) return;
  for (const auto& [id, row] : context.tables.principals) {
    if (!row.provisioned || row.issuer != command.issuer) continue;
    Principal changed = row;
    if (command.members.drops(id)) leave(changed, before, context.now);
    if (command.members.added().contains(id)) join(changed, before.name);
    if (changed != row) change.events.emplace_back(PrincipalSet{std::move(changed)});
  }
}

const ProvisionedGroup* find_group(const Tables& tables, std::string_view issuer, const std::string& id) {
  const auto row = tables.provisioned_groups.find(id);
  return row != tables.provisioned_groups.end() && row->second.issuer == issuer ? &row->second : nullptr;
}

Result<void> describe_group(ProvisionedGroup& row, const ProvisionGroup& command, const Tables& tables) {
  if (command.display) {
    if (auto named = check_group("/displayName", *command.display); !named) return named;
    for (const auto& [id, other] : tables.provisioned_groups)
      if (id != row.name && other.issuer == row.issuer && other.display == *command.display)
        return fail(ErrorCode::conflict, fmt::format("another group is named '{}'", *command.display));
    row.display = *command.display;
  }
  if (command.group && !command.group->empty())
    if (auto named = check_group("/displayName", *command.group); !named) return named;
  if (command.group) row.group = *command.group;
  if (command.external_id)
    if (auto fits = check_provisioned_text("/externalId", *command.external_id); !fits) return fits;
  if (command.external_id) row.external_id = *command.external_id;
  return {};
}

}  // namespace

const Principal* find_provisioned(const Tables& tables, std::string_view issuer, std::string_view user_name) {
  const auto is_it = [&](const auto& entry) {
    const Principal& row = entry.second;
    return row.issuer == issuer && row.provisioned && same_login_name(row.provisioned->user_name, user_name);
  };
  const auto row = std::ranges::find_if(tables.principals, is_it);
  return row == tables.principals.end() ? nullptr : &row->second;
}

const Principal* find_expected(const Tables& tables, std::string_view issuer, std::string_view user_name) {
  const Principal* row = find_provisioned(tables, issuer, user_name);
  return row && row->subject.empty() ? row : nullptr;
}

Result<AccessChange> change_of(const ProvisionUser& command, const AccessContext& context) {
  if (auto may = check_provider(context); !may) return std::unexpected(may.error());
  if (command.id.empty() && !command.user_name) return fail_field("/userName", "give the user a name");
  const Principal* present = command.id.empty() ? nullptr : find_user(context.tables, command.issuer, command.id);
  if (!command.id.empty() && !present) return not_provisioned("user", command.id);
  auto row = present ? Result<Principal>(*present) : user_for(command, context);
  if (!row) return std::unexpected(row.error());
  if (auto may = check_reserved(command, *row); !may) return std::unexpected(may.error());
  if (auto set = set_name(*row, command, context.tables); !set) return std::unexpected(set.error());
  if (auto set = set_subject(*row, command, context.tables); !set) return std::unexpected(set.error());
  if (auto set = set_texts(*row, command); !set) return std::unexpected(set.error());
  if (command.active) row->provisioned->state = *command.active ? ProvisionedState::active : ProvisionedState::inactive;
  AccessChange change;
  if (row->provisioned->state == ProvisionedState::inactive) end_logins(*row, context, change);
  if (!present || *present != *row) change.events.emplace_back(PrincipalSet{std::move(*row)});
  return change;
}

Result<AccessChange> change_of(const RemoveProvisionedUser& command, const AccessContext& context) {
  if (auto may = check_provider(context); !may) return std::unexpected(may.error());
  const Principal* present = find_user(context.tables, command.issuer, command.id);
  if (!present) return not_provisioned("user", command.id);
  Principal row = *present;
  row.provisioned->state = ProvisionedState::removed;
  row.provisioned->groups.clear();
  row.issuer_groups.clear();
  row.issuer_groups_until.reset();
  AccessChange change;
  for (const auto& [id, token] : context.tables.access_tokens)
    if (token.principal == row.name) change.events.push_back(end_of(token, context.now));
  change.events.emplace_back(PrincipalSet{std::move(row)});
  return change;
}

Result<AccessChange> change_of(const ProvisionGroup& command, const AccessContext& context) {
  if (auto may = check_provider(context); !may) return std::unexpected(may.error());
  const ProvisionedGroup* present = find_group(context.tables, command.issuer, command.id);
  if (!command.is_new && !present) return not_provisioned("group", command.id);
  if (command.is_new && context.tables.provisioned_groups.size() >= kMostProvisionedGroups)
    return fail(ErrorCode::too_large, fmt::format("at most {} groups; let the provider send only those of this server",
                                                  kMostProvisionedGroups));
  if (command.is_new && !command.display) return fail_field("/displayName", "give the group a name");
  ProvisionedGroup row =
      present
          ? *present
          : ProvisionedGroup{
                .name = command.id, .issuer = command.issuer, .display = {}, .group = {}, .created_at = context.now};
  if (auto said = describe_group(row, command, context.tables); !said) return std::unexpected(said.error());
  if (auto known = check_members(command, context.tables); !known) return std::unexpected(known.error());
  AccessChange change;
  change_members(command, present ? *present : row, context, change);
  if (!present || *present != row) change.events.emplace_back(ProvisionedGroupSet{std::move(row)});
  return change;
}

Result<AccessChange> change_of(const RemoveProvisionedGroup& command, const AccessContext& context) {
  if (auto may = check_provider(context); !may) return std::unexpected(may.error());
  const ProvisionedGroup* present = find_group(context.tables, command.issuer, command.id);
  if (!present) return not_provisioned("group", command.id);
  AccessChange change;
  for (const auto& [id, row] : context.tables.principals) {
    if (!row.provisioned || !std::ranges::binary_search(row.provisioned->groups, command.id)) continue;
    Principal changed = row;
    leave(changed, *present, context.now);
    change.events.emplace_back(PrincipalSet{std::move(changed)});
  }
  change.events.emplace_back(ProvisionedGroupRemoved{command.id});
  return change;
}

}  // namespace ym
