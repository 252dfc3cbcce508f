#include "api/routes/login_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/browser_session.h"
#include "api/problem.h"
#include "api/rate_limit.h"
#include "control/access/token_text.h"
#include "control/audit/request_audit.h"

namespace ym::api {
namespace {

using Now = std::chrono::steady_clock;

struct OAuthKind {
  int status;
  std::string_view code;
};

OAuthKind kind_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::unavailable: return {503, "temporarily_unavailable"};
    case ErrorCode::rate_limited: return {429, "slow_down"};
    case ErrorCode::internal:
    case ErrorCode::io:
    case ErrorCode::corrupt: return {500, "server_error"};
    default: return {400, "invalid_grant"};
  }
}

}  // namespace

Caller server_for(const Caller& asker) {
  Caller server = Caller::server();
  server.origin = asker.origin;
  return server;
}

void record_failed_login(Context& context, const Asker& asker, const Error& error) {
  if (!asker.caller.origin || error.code == ErrorCode::unavailable) return;
  // An address that may not try any more owes nothing for it: it may go on a second later.
  if (may_try(context, asker)) charge_login(context, asker);
  auto record = audit_record(asker.caller, "login", asker.caller.origin->target, AuditOutcome::refused);
  record.request.code = to_string(error.code);
  asker.backend->commands.note(std::move(record));
}

void charge_login(Context& context, const Asker& asker) {
  if (asker.caller.origin) context.failed_logins.charge(asker.caller.origin->source, 1, Now::now());
}

bool may_try(Context& context, const Asker& asker) {
  return !asker.caller.origin || context.failed_logins.has_any(asker.caller.origin->source, Now::now());
}

Response oauth_error(int status, std::string_view code, std::string_view description) {
  JsonWriter json;
  json.begin_object().field("error", code).field("error_description", description).end_object();
  Response response = json_response(std::move(json), status);
  response.problem = code;
  if (status == 429 || status == 503) response.headers.push_back({"Retry-After", "1"});
  return response;
}

Response oauth_error(const Error& error) {
  const auto [status, code] = kind_of(error.code);
  return oauth_error(status, code, error.message);
}

Response token_response(const Asker& asker, const TokenReply& made) {
  JsonWriter json;
  json.begin_object().field("access_token", made.secret->reveal()).field("token_type", "Bearer");
  json.field("issued_token_type", "urn:ietf:params:oauth:token-type:access_token");
  if (made.token.expires_at) json.field("expires_in", (*made.token.expires_at - asker.reads().now()).ms / 1000);
  json.field("user", asker.reads().access().handle_of(made.token.principal)).field("token_id", made.token.name);
  json.end_object();
  return json_response(std::move(json));
}

LogIn login_of(login::LoggedIn login, const login::Settings& settings, std::string note) {
  auto& user = login.user;
  return {.issuer = std::move(user.issuer),
          .subject = std::move(user.subject),
          .handle = std::move(user.handle),
          .display = std::move(user.display),
          .email = std::move(user.email),
          .groups = std::move(user.groups),
          .groups_max_age = settings.groups_max_age,
          .lifetime = settings.login_ttl,
          .idle_limit = settings.login_idle,
          .note = std::move(note),
          .issued_at = login.issued_at,
          .proof = login.proof.empty() ? "" : hash_text(login.proof),
          .takes_awaited = login.is_first};
}

Result<BrowserSession> session_of(const Call& call) {
  const auto session = cookie_of(call.request, kSessionCookie);
  if (session.empty()) return fail(ErrorCode::unauthenticated, "this browser is not logged in");
  auto caller = call.reads().authenticate(Secret(session));
  if (!caller) return std::unexpected(caller.error());
  const auto tokens = call.reads().access().tokens(*caller);
  const auto token = std::ranges::find(tokens, caller->token, &AccessToken::name);
  // What was exchanged for a proof is of a program.
  if (token == tokens.end() || token->kind != TokenKind::login || !token->proof.empty())
    return fail(ErrorCode::unauthenticated, "the session of this browser is no login");
  caller->origin = call.caller.origin;
  return BrowserSession{.caller = std::move(*caller), .since = token->created_at};
}

std::string local_path(std::string_view wanted) {
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f' && c != '\\'; };
  constexpr std::size_t kLongestPath = 1024;
  const bool local = wanted.size() <= kLongestPath && wanted.starts_with('/') && !wanted.starts_with("//") &&
                     std::ranges::all_of(wanted, is_plain);
  return std::string(local ? wanted : "/");
}

}  // namespace ym::api
