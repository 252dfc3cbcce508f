#include "control/access/token_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/access/binding_id.h"
#include "control/access/principals.h"
#include "control/access/refusal.h"
#include "control/access/token_text.h"
#include "model/access/roles.h"

namespace ym {
namespace {

constexpr std::size_t kLongestNote = 200;
constexpr Duration kFreshLogin = hours(1);

// The longest life of a token where bindings decide. Without them, tokens need not expire.
constexpr Duration longest_life(PrincipalKind kind) {
  return kind == PrincipalKind::user ? hours(90 * 24) : hours(365 * 24);
}

class TokenMaker {
 public:
  TokenMaker(const CreateToken& command, const AccessContext& context)
      : command_(command), context_(context), access_(context.access()) {}

  Result<AccessChange> make() {
    if (!context_.caller.gateway.empty())
      return fail(ErrorCode::forbidden, "a token of another user is not made on its behalf: the user makes it");
    if (auto found = find_principal(); !found) return std::unexpected(found.error());
    if (auto checked = check_rights(); !checked) return std::unexpected(checked.error());
    principal_.kind = command_.kind.value_or(principal_.kind);
    auto scopes = choose_scopes();
    if (!scopes) return std::unexpected(scopes.error());
    const auto expires = choose_end();
    if (!expires) return std::unexpected(expires.error());
    if (command_.note.size() > kLongestNote) return fail_field("/note", fmt::format("at most {} bytes", kLongestNote));
    auto made = new_token(principal_, command_.token_kind, context_);
    made.token.scopes = std::move(*scopes);
    // Its user proved itself when the first login of the row was made, and not again.
    if (const AccessToken* mine = present(); mine && made.token.kind == TokenKind::login)
      made.token.created_at = mine->created_at;
    made.token.expires_at = *expires;
    made.token.note = command_.note;
    if (const AccessToken* mine = present(); mine && command_.token_kind == TokenKind::login)
      made.token.idle_limit = mine->idle_limit;
    AccessChange change;
    const bool was_awaited = std::exchange(principal_.awaited, false);
    if (is_new_ || was_awaited) change.events.emplace_back(PrincipalSet{principal_});
    change.events.emplace_back(TokenSet{made.token});
    change.token = std::move(made);
    return change;
  }

 private:
  bool is_own() const { return principal_.name == context_.caller.principal; }
  // The token of the request. Null: it used none.
  const AccessToken* present() const {
    const auto row = context_.tables.access_tokens.find(context_.caller.token);
    return row == context_.tables.access_tokens.end() ? nullptr : &row->second;
  }

  Result<void> find_principal() {
    const auto& wanted = command_.principal;
    const Principal* row = wanted.empty() ? principal_of(context_.tables, context_.caller.principal)
                                          : find_handle(context_.tables, wanted);
    is_new_ = row == nullptr;
    if (is_new_) {
      auto made = new_principal(wanted.empty() ? context_.caller.principal : wanted, context_);
      if (!made) return std::unexpected(made.error());
      principal_ = std::move(*made);
      principal_.kind = command_.kind.value_or(PrincipalKind::user);
      return {};
    }
    principal_ = *row;
    if (is_disabled(principal_))
      return fail(ErrorCode::conflict, fmt::format("'{}' is disabled and gets no token", principal_.handle));
    // What only bindings of the file name is no user yet.
    if (command_.kind && *command_.kind != principal_.kind && !principal_.awaited)
      return fail_field("/service", fmt::format("'{}' is a {} account", principal_.handle, to_string(principal_.kind)));
    return {};
  }

  // A token is all that its principal is. So no caller makes one of a principal that has more rights than itself, or
  // of another user without the right to act for others.
  Result<void> check_rights() const {
    const auto& permissions = access_.limits.permissions;
    if (permissions && !permissions->has(Permission::tokens_create)) return limited_token(Permission::tokens_create);
    if (is_own()) return {};
    if (command_.needs_everything && !(holds(access_, Permissions::all(), {}) && access_.limits.is_none()))
      return fail(ErrorCode::forbidden,
                  fmt::format("'{}' speaks for an identity provider; this needs the role admin of "
                              "the site, and a token without limits",
                              principal_.handle));
    if (auto checked = require(access_, Permission::tokens_create, {}); !checked) return checked;
    if (is_new_) return require(access_, Permission::identities_edit, {});
    if (principal_.kind == PrincipalKind::user)
      if (auto checked = require(access_, Permission::identities_impersonate, {}); !checked) return checked;
    if (holds(access_, access_.rules->rights_of(principal_.name))) return {};
    return fail(ErrorCode::forbidden,
                fmt::format("'{}' has rights that you have not, so you cannot make a token for it", principal_.handle));
  }

  // Without bindings: what tokens could do before there were any. With them, rights come from the principal's.
  Result<std::vector<std::string>> choose_scopes() const {
    if (command_.scopes) return check_scopes(*command_.scopes);
    const AccessToken* mine = present();
    std::vector<std::string> inherited = mine ? mine->scopes : std::vector<std::string>{};
    if (context_.cache.mode() == AccessMode::everything && access_.limits.is_none())
      return std::vector<std::string>{std::string(kUserRole)};
    return inherited;
  }

  Result<std::vector<std::string>> check_scopes(const std::vector<std::string>& scopes) const {
    auto read = read_token_scopes(scopes, *access_.rules);
    if (!read || access_.limits.include(limits_of(*read, *access_.rules), access_.rules->queues())) return read;
    return fail(ErrorCode::forbidden,
                "your own token is limited, and the new one would not be limited as much: give it --scope");
  }

  // A user makes its own tokens from a login, which is shorter than they are. It has just proved who it is.
  bool is_fresh_login(const AccessToken& mine) const {
    return mine.kind == TokenKind::login && mine.proof.empty() && principal_.kind == PrincipalKind::user &&
           command_.token_kind == TokenKind::made && is_own() && context_.now - mine.created_at < kFreshLogin;
  }

  Result<std::optional<Instant>> choose_end() const {
    std::optional<Instant> most;
    if (context_.cache.mode() != AccessMode::everything) most = context_.now + longest_life(principal_.kind);
    if (const AccessToken* mine = present(); mine && mine->expires_at && !is_fresh_login(*mine))
      most = std::min(most.value_or(*mine->expires_at), *mine->expires_at);
    if (!command_.lifetime) return most;
    if (command_.lifetime->ms <= 0) return fail_field("/ttl", "must be more than 0");
    const Instant wanted = context_.now + *command_.lifetime;
    if (most && wanted > *most)
      return fail_field("/ttl", fmt::format("this token can live until {} at most", to_rfc3339(*most)));
    return wanted;
  }

  const CreateToken& command_;
  const AccessContext& context_;
  const Access access_;
  Principal principal_;
  bool is_new_ = false;
};

}  // namespace

Result<AccessChange> change_of(const CreateToken& command, const AccessContext& context) {
  return TokenMaker(command, context).make();
}

TokenReply new_token(const Principal& principal, TokenKind kind, const AccessContext& context) {
  Secret secret = make_token(principal.kind, kind);
  AccessToken row{.hash = hash_token(secret),
                  .principal = principal.name,
                  .created_at = context.now,
                  .created_by = actor_of(context.caller),
                  .kind = kind};
  row.name = token_id(row.hash);
  return {.token = std::move(row), .secret = std::move(secret)};
}

// A limited token revokes itself, and its principal's tokens that can do no more.
Result<AccessChange> change_of(const RevokeToken& command, const AccessContext& context) {
  const auto access = context.access();
  const auto row = context.tables.access_tokens.find(command.id);
  if (row == context.tables.access_tokens.end() || !sees_token(access, context.caller, row->second))
    return fail(ErrorCode::not_found, fmt::format("there is no token '{}'; see `ym token list`", command.id));
  if (row->second.principal != context.caller.principal)
    if (auto checked = require(access, Permission::tokens_revoke, {}); !checked)
      return std::unexpected(checked.error());
  AccessChange change{.token = TokenReply{.token = row->second}};
  change.events.push_back(end_of(row->second, context.now));
  return change;
}

EventPayload end_of(const AccessToken& token, Instant now) {
  if (token.proof.empty()) return TokenRemoved{token.name};
  AccessToken ended = token;
  ended.expires_at = std::min(now, token.expires_at.value_or(now));
  return TokenSet{std::move(ended)};
}

bool sees_token(const Access& access, const Caller& caller, const AccessToken& token) {
  if (!caller.gateway.empty()) return false;
  if (token.principal != caller.principal) return allows(access, Permission::tokens_get, {});
  return token.name == caller.token ||
         access.limits.include(limits_of(token.scopes, *access.rules), access.rules->queues());
}

namespace {

// Errors: `forbidden`: the caller is no administrator, or its token is limited or ends.
Result<void> may_rotate(const Access& access, const AccessContext& context) {
  const auto present = context.tables.access_tokens.find(context.caller.token);
  const bool ends = present != context.tables.access_tokens.end() && present->second.expires_at;
  if (holds(access, Permissions::all(), {}) && access.limits.is_none() && !ends) return {};
  return fail(ErrorCode::forbidden,
              "this needs the role admin of the site, and a token without limits that does not expire");
}

// The role admin of the site for the principal, unless it has it for good.
std::optional<Binding> missing_admin_binding(const std::string& principal, const AccessContext& context) {
  Binding binding{.role = std::string(kAdminRole),
                  .grantee = {Grantee::Kind::principal, principal},
                  .scope = {},
                  .created_by = actor_of(context.caller)};
  binding.name = binding_id(binding);
  const auto present = context.tables.bindings.find(binding.name);
  if (present != context.tables.bindings.end() && !present->second.expires_at) return std::nullopt;
  return binding;
}

}  // namespace

Result<AccessChange> change_of(const RotateAdminToken& command, const AccessContext& context) {
  const auto access = context.access();
  if (auto may = may_rotate(access, context); !may) return std::unexpected(may.error());
  AccessChange change;
  const Principal* row = find_handle(context.tables, command.principal);
  auto principal = row ? Result<Principal>(*row) : new_principal(command.principal, context);
  if (!principal) return std::unexpected(principal.error());
  // The server's own user is locked out otherwise.
  principal->disabled_at.reset();
  principal->provisioned.reset();
  if (!row || *row != *principal) change.events.emplace_back(PrincipalSet{*principal});
  if (auto binding = missing_admin_binding(principal->name, context))
    change.events.emplace_back(BindingSet{std::move(*binding)});
  for (const auto& [id, token] : context.tables.access_tokens)
    if (!command.keeps_others && token.principal == principal->name && limits_of(token.scopes, *access.rules).is_none())
      change.events.emplace_back(TokenRemoved{id});
  change.token = new_token(*principal, TokenKind::made, context);
  change.events.emplace_back(TokenSet{change.token->token});
  return change;
}

}  // namespace ym
