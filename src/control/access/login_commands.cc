#include "control/access/login_commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "control/access/names.h"
#include "control/access/principals.h"
#include "control/access/provision/provision_commands.h"
#include "control/access/token_commands.h"
#include "model/access/login_settings.h"

namespace ym {
namespace {

void expect_server(const AccessContext& context) { YM_ASSERT(context.caller.kind == CallerKind::server); }

std::unexpected<Error> disabled(const Principal& row) {
  if (!row.disabled_at)
    return fail(ErrorCode::forbidden,
                fmt::format("the identity provider has disabled '{}', and can enable it", row.handle));
  return fail(
      ErrorCode::forbidden,
      fmt::format("'{}' is disabled; an administrator can enable it: ym identity enable {}", row.handle, row.handle));
}

Result<void> check_proof(const std::string& proof, const AccessContext& context) {
  const auto uses_it = [&](const auto& entry) { return entry.second.proof == proof; };
  if (proof.empty() || std::ranges::none_of(context.tables.access_tokens, uses_it)) return {};
  return fail(ErrorCode::forbidden, "this token was exchanged before, and counts once; ask its issuer for a new one");
}

// In a trial each principal may do everything. So it is for users that will have rights.
Result<void> check_trial(const Principal& row, const AccessContext& context) {
  if (context.cache.mode() == AccessMode::by_bindings) return {};
  const auto& rules = context.cache.rules(context.tables, context.now);
  const auto gives = [&](const auto& groups) {
    return std::ranges::any_of(groups,
                               [&](const auto& group) { return !rules.rights_of_group(group).grants().empty(); });
  };
  if (gives(row.groups) || gives(row.issuer_groups) || !rules.bound_rights_of(row.name).grants().empty()) return {};
  return fail(ErrorCode::forbidden,
              "no binding gives you a role; while auth.enforce is false, only users with a role can log in");
}

// By SCIM and by a login the provider must mean the same user by a name. Where a row is found by the subject alone, the
// one that the provider disables could be another. A subject that SCIM says itself (external_id_is_subject) is enough.
Result<void> check_same_user(const Principal& row, const LogIn& command, const AccessContext& context) {
  if (row.provisioned && row.provisioned->external_id == row.subject) return {};
  const Principal* named = find_provisioned(context.tables, command.issuer, command.handle);
  if (named ? named->name == row.name : !row.provisioned) return {};
  return fail(ErrorCode::conflict,
              fmt::format("the provider calls you '{}' at this login, and another user by SCIM; ask an administrator: "
                          "you are '{}' here",
                          command.handle, row.handle));
}

// The row of a user that logs in, as its provider describes it now. Handles do not follow a change at the provider:
// another user could take the old one.
Result<Principal> user_of(const LogIn& command, const AccessContext& context) {
  if (const Principal* row = find_subject(context.tables, command.issuer, command.subject)) {
    if (auto same = check_same_user(*row, command, context); !same) return std::unexpected(same.error());
    return *row;
  }
  const Principal* expected = find_expected(context.tables, command.issuer, command.handle);
  const Principal* named = expected ? expected : find_handle(context.tables, command.handle);
  if (named && !expected && !(named->awaited && command.takes_awaited && named->kind == PrincipalKind::user))
    return fail(ErrorCode::conflict,
                fmt::format("the provider calls you '{}', and another user or service account has this name here; an "
                            "administrator can say that it is you: ym identity link {} --issuer {} --subject {}",
                            command.handle, command.handle, command.issuer, command.subject));
  if (auto fits = check_handle("/handle", command.handle); !fits)
    return fail(ErrorCode::forbidden,
                fmt::format("the provider's name for you is no name here: it {}", fits.error().fields.front().message));
  auto made = named ? Result<Principal>(*named) : new_principal(command.handle, context);
  if (!made) return made;
  made->issuer = command.issuer;
  made->subject = command.subject;
  return made;
}

TokenReply login_token(const Principal& row, Duration lifetime, std::string note, const AccessContext& context) {
  auto made = new_token(row, TokenKind::login, context);
  made.token.expires_at = context.now + lifetime;
  made.token.created_by = row.name;
  made.token.note = std::move(note);
  return made;
}

}  // namespace

const Principal* find_subject(const Tables& tables, std::string_view issuer, std::string_view subject) {
  const auto is_it = [&](const auto& entry) {
    return entry.second.issuer == issuer && entry.second.subject == subject;
  };
  const auto row = std::ranges::find_if(tables.principals, is_it);
  return row == tables.principals.end() ? nullptr : &row->second;
}

namespace {

// What the provider says of the user now. What it said before does not replace it.
void describe(Principal& row, const LogIn& command, const AccessContext& context) {
  row.awaited = false;
  row.login_name = command.handle;
  row.display = command.display;
  row.email = command.email;
  if (row.issuer_groups_from && *row.issuer_groups_from > command.issued_at) return;
  auto groups = command.groups;
  std::ranges::sort(groups);
  const Instant until = std::min(command.issued_at, context.now) + command.groups_max_age;
  // A row that says nearly the same is not written again: all rights are made anew with it.
  const bool is_same = groups == row.issuer_groups && row.issuer_groups_until &&
                       until - *row.issuer_groups_until < Duration{command.groups_max_age.ms / 16} &&
                       until >= *row.issuer_groups_until;
  if (is_same) return;
  row.issuer_groups = std::move(groups);
  row.issuer_groups_from = command.issued_at;
  row.issuer_groups_until = until;
}

}  // namespace

void end_logins(const Principal& row, const AccessContext& context, AccessChange& change) {
  for (const auto& [id, token] : context.tables.access_tokens)
    if (token.principal == row.name && token.kind == TokenKind::login)
      change.events.push_back(end_of(token, context.now));
}

namespace {

// By a name that its provider gave to another user, no row is found any more.
void take_login_name(const Principal& row, const AccessContext& context, AccessChange& change) {
  for (const auto& [id, other] : context.tables.principals) {
    if (id == row.name || other.issuer != row.issuer || !has_login_name(other, *row.login_name)) continue;
    Principal changed = other;
    changed.login_name = "";
    change.events.emplace_back(PrincipalSet{std::move(changed)});
  }
}

// What bindings call the group, as the configuration file has it now.
std::string group_now(const ProvisionedGroup& row, const Issuer& issuer) {
  auto named = issuer.scim.empty() ? std::string() : group_here(issuer, row.display);
  if (!named.empty() && !check_group("/groups_prefix", named)) named.clear();
  return named;
}

}  // namespace

Result<AccessChange> change_of(const LogIn& command, const AccessContext& context) {
  expect_server(context);
  if (auto fresh = check_proof(command.proof, context); !fresh) return std::unexpected(fresh.error());
  auto row = user_of(command, context);
  if (!row) return std::unexpected(row.error());
  if (is_disabled(*row)) return disabled(*row);
  describe(*row, command, context);
  if (auto may = check_trial(*row, context); !may) return std::unexpected(may.error());
  AccessChange change;
  change.token = login_token(*row, command.lifetime, command.note, context);
  change.token->token.proof = command.proof;
  change.token->token.idle_limit = command.idle_limit;
  take_login_name(*row, context, change);
  const Principal* present = principal_of(context.tables, row->name);
  if (!present || *present != *row) change.events.emplace_back(PrincipalSet{std::move(*row)});
  change.events.emplace_back(TokenSet{change.token->token});
  return change;
}

Result<AccessChange> change_of(const ExchangeProof& command, const AccessContext& context) {
  expect_server(context);
  if (auto fresh = check_proof(command.proof, context); !fresh) return std::unexpected(fresh.error());
  const Principal* present = find_handle(context.tables, command.service);
  if (present && present->kind != PrincipalKind::service && !present->awaited)
    return fail(ErrorCode::conflict, fmt::format("'{}' is a user, and no service account", command.service));
  if (present && is_disabled(*present)) return disabled(*present);
  if (auto fits = check_handle("/service", command.service); !fits) return std::unexpected(fits.error());
  auto row = present ? Result<Principal>(*present) : new_principal(command.service, context);
  if (!row) return std::unexpected(row.error());
  row->kind = PrincipalKind::service;
  row->awaited = false;
  if (auto may = check_trial(*row, context); !may) return std::unexpected(may.error());
  AccessChange change;
  change.token = login_token(*row, command.lifetime, command.note, context);
  change.token->token.proof = command.proof;
  if (!present || *present != *row) change.events.emplace_back(PrincipalSet{std::move(*row)});
  change.events.emplace_back(TokenSet{change.token->token});
  return change;
}

Result<AccessChange> change_of(const EndLogins& command, const AccessContext& context) {
  expect_server(context);
  AccessChange change;
  const Principal* row = find_subject(context.tables, command.issuer, command.subject);
  if (row == nullptr) return change;
  for (const auto& [id, token] : context.tables.access_tokens)
    if (token.principal == row->name && token.kind == TokenKind::login && token.created_at <= command.before)
      change.events.push_back(end_of(token, context.now));
  return change;
}

Result<AccessChange> change_of(const KeepIssuers& command, const AccessContext& context) {
  expect_server(context);
  AccessChange change;
  const auto find = [&](const std::string& url) { return std::ranges::find(command.issuers, url, &Issuer::url); };
  for (const auto& [id, row] : context.tables.principals) {
    if (row.issuer.empty() || find(row.issuer) != command.issuers.end()) continue;
    end_logins(row, context, change);
    Principal changed = row;
    changed.issuer_groups.clear();
    changed.issuer_groups_until.reset();
    if (changed.provisioned) changed.provisioned->groups.clear();
    if (changed != row) change.events.emplace_back(PrincipalSet{std::move(changed)});
  }
  for (const auto& [id, group] : context.tables.provisioned_groups) {
    const auto issuer = find(group.issuer);
    if (issuer == command.issuers.end()) {
      change.events.emplace_back(ProvisionedGroupRemoved{id});
    } else if (auto named = group_now(group, *issuer); named != group.group) {
      ProvisionedGroup changed = group;
      changed.group = std::move(named);
      change.events.emplace_back(ProvisionedGroupSet{std::move(changed)});
    }
  }
  return change;
}

Result<AccessChange> change_of(const NoteTokenUse& command, const AccessContext& context) {
  expect_server(context);
  AccessChange change;
  for (const auto& [id, used] : command.used) {
    const auto present = context.tables.access_tokens.find(id);
    if (present == context.tables.access_tokens.end()) continue;
    AccessToken row = present->second;
    if (row.last_used_at && *row.last_used_at >= used) continue;
    row.last_used_at = used;
    change.events.emplace_back(TokenSet{std::move(row)});
  }
  return change;
}

Result<AccessChange> change_of(const ForgetExpired& command, const AccessContext& context) {
  expect_server(context);
  const auto is_over = [&](const auto& row) { return row.expires_at && *row.expires_at < command.before; };
  AccessChange change;
  for (const auto& [id, token] : context.tables.access_tokens)
    if (is_over(token)) change.events.emplace_back(TokenRemoved{id});
  // Those of the configuration file have no end.
  for (const auto& [id, binding] : context.tables.bindings)
    if (is_over(binding)) change.events.emplace_back(BindingRemoved{id});
  return change;
}

}  // namespace ym
