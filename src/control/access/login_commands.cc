#include "control/access/login_commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "control/access/names.h"
#include "control/access/principals.h"
#include "control/access/token_commands.h"

namespace ym {
namespace {

void expect_server(const AccessContext& context) { YM_ASSERT(context.caller.kind == CallerKind::server); }

std::unexpected<Error> disabled(const Principal& row) {
  return fail(
      ErrorCode::forbidden,
      fmt::format("'{}' is disabled; an administrator can enable it: ym identity enable {}", row.handle, row.handle));
}

// Whether the principal is there only because the configuration file gives it roles: it is for the first user of
// this name at a provider. All others belong to a user already, and the one of the server's own user, too.
bool waits_for_login(const Tables& tables, const Principal& row) {
  const auto is_own = [&](const auto& entry) { return entry.second.principal == row.name; };
  if (!row.issuer.empty() || std::ranges::any_of(tables.access_tokens, is_own)) return false;
  std::size_t of_file = 0, others = 0;
  for (const auto& [id, binding] : tables.bindings)
    if (binding.grantee == Grantee{Grantee::Kind::principal, row.name})
      (binding.managed_by == ManagedBy::file ? of_file : others) += 1;
  return of_file > 0 && others == 0;
}

// The row of a user that logs in, as its provider describes it now. Handles do not follow a change at the provider:
// another user could take the old one.
Result<Principal> user_of(const LogIn& command, const AccessContext& context) {
  if (const Principal* row = find_subject(context.tables, command.issuer, command.subject)) return *row;
  const Principal* named = find_handle(context.tables, command.handle);
  if (named && !waits_for_login(context.tables, *named))
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

Result<AccessChange> change_of(const LogIn& command, const AccessContext& context) {
  expect_server(context);
  auto row = user_of(command, context);
  if (!row) return std::unexpected(row.error());
  if (row->disabled_at) return disabled(*row);
  row->display = command.display;
  row->email = command.email;
  row->issuer_groups = command.groups;
  std::ranges::sort(row->issuer_groups);
  row->issuer_groups_until = context.now + command.groups_max_age;
  AccessChange change;
  change.token = login_token(*row, command.lifetime, command.note, context);
  change.events.emplace_back(PrincipalSet{std::move(*row)});
  change.events.emplace_back(TokenSet{change.token->token});
  return change;
}

Result<AccessChange> change_of(const ExchangeProof& command, const AccessContext& context) {
  expect_server(context);
  const auto uses_it = [&](const auto& entry) { return entry.second.proof == command.proof; };
  if (std::ranges::any_of(context.tables.access_tokens, uses_it))
    return fail(ErrorCode::forbidden, "this token was exchanged before, and counts once; ask its issuer for a new one");
  const Principal* present = find_handle(context.tables, command.service);
  if (present && present->kind != PrincipalKind::service && !waits_for_login(context.tables, *present))
    return fail(ErrorCode::conflict, fmt::format("'{}' is a user, and no service account", command.service));
  if (present && present->disabled_at) return disabled(*present);
  if (auto fits = check_handle("/service", command.service); !fits) return std::unexpected(fits.error());
  auto row = present ? Result<Principal>(*present) : new_principal(command.service, context);
  if (!row) return std::unexpected(row.error());
  row->kind = PrincipalKind::service;
  const bool is_new = !present || *present != *row;
  AccessChange change;
  change.token = login_token(*row, command.lifetime, command.note, context);
  change.token->token.proof = command.proof;
  if (is_new) change.events.emplace_back(PrincipalSet{std::move(*row)});
  change.events.emplace_back(TokenSet{change.token->token});
  return change;
}

Result<AccessChange> change_of(const EndLogins& command, const AccessContext& context) {
  expect_server(context);
  AccessChange change;
  const Principal* row = find_subject(context.tables, command.issuer, command.subject);
  if (!row) return change;
  for (const auto& [id, token] : context.tables.access_tokens)
    if (token.principal == row->name && token.kind == TokenKind::login) change.events.emplace_back(TokenRemoved{id});
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

}  // namespace ym
