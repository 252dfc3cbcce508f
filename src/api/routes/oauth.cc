// The endpoints that give tokens (OAuth 2.0): RFC 6749, 7009 (revocation), 8414 (metadata), 8628 (devices), 8693
// (exchange).
#include <fmt/format.h>

#include "api/form.h"
#include "api/json/writer.h"
#include "api/rate_limit.h"
#include "api/routes/login_command.h"
#include "control/access/token_text.h"

namespace ym::api {
namespace {

constexpr std::string_view kClient = "ym";  // the one program that asks for logins here; it has no secret
constexpr std::string_view kOfCode = "authorization_code";
constexpr std::string_view kOfDevice = "urn:ietf:params:oauth:grant-type:device_code";
constexpr std::string_view kOfExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr std::string_view kIdToken = "urn:ietf:params:oauth:token-type:id_token",
                           kWebToken = "urn:ietf:params:oauth:token-type:jwt",
                           kMunge = "urn:yardmaster:token-type:munge", kAccount = "urn:yardmaster:token-type:account";

// Answers a form that is malformed, and otherwise returns its fields.
std::optional<FormFields> fields_of(Call& call) {
  auto form = FormFields::parse(call.request.body);
  if (!form) call.responder.send(oauth_error(400, "invalid_request", "the form is malformed, or has a field twice"));
  return form;
}

Response failure(Context& context, const Asker& asker, const Error& error) {
  record_failed_login(context, asker, error);
  return oauth_error(error);
}

void answer_failure(Context& context, Call call, const Error& error) {
  call.responder.send(failure(context, call, error));
}

// The reply to a command that makes a token: the token, or why there is none.
Reply token_answer(Context& context, Call& call) {
  const Asker asker{.caller = call.caller, .backend = call.backend};
  return answer_to<Result<CommandReply>>(
      asker, std::move(call.responder), [&context](const Asker& still, const Result<CommandReply>& reply) {
        return reply ? token_response(still, *reply->token) : failure(context, still, reply.error());
      });
}

// Carries out a command. The answer says only whether it succeeded.
void answer_nothing(Call call, Caller caller, Command command) {
  const Asker asker{.caller = call.caller, .backend = call.backend};
  call.backend->commands.execute(std::move(caller), std::move(command),
                                 answer_to<Result<CommandReply>>(asker, std::move(call.responder),
                                                                 [](const Asker&, const Result<CommandReply>& reply) {
                                                                   return reply ? Response{.body = "{}"}
                                                                                : oauth_error(reply.error());
                                                                 }));
}

// The command by which what was proved gets a token.
Command command_of(login::Proven proven, const login::Settings& settings) {
  if (auto* user = std::get_if<login::LoggedIn>(&proven)) return login_of(std::move(*user), settings, "exchanged");
  auto& workload = std::get<login::ProvenWorkload>(proven);
  return ExchangeProof{.service = std::move(workload.service),
                       .proof = workload.proof.empty() ? "" : hash_text(workload.proof),
                       .lifetime = workload.ttl,
                       .note = "rule " + workload.rule};
}

void exchange(Context& context, Call call, const FormFields& form) {
  const auto type = form.get("subject_token_type");
  auto token = form.get("subject_token");
  const bool is_web_token = type == kIdToken || type == kWebToken;
  if ((!is_web_token && type != kMunge && type != kAccount) || token.empty() != (type == kAccount))
    return call.responder.send(oauth_error(
        400, "invalid_request",
        fmt::format("send subject_token, and as subject_token_type {}, {} or {}; or {} without a subject_token",
                    kIdToken, kWebToken, kMunge, kAccount)));
  const auto account = call.request.account;
  if (type == kAccount && !account)
    return call.responder.send(oauth_error(
        400, "invalid_request", "accounts of this machine log in at the server's Unix socket: ym login unix:/PATH"));
  const auto now = call.reads().now();
  auto done = [&context, call = std::move(call)](Result<login::Proven> proven) mutable {
    if (!proven) return answer_failure(context, std::move(call), proven.error());
    // One that may come again makes a row each time.
    if (std::visit([](const auto& one) { return one.proof.empty(); }, *proven)) charge_login(context, call);
    const Caller server = server_for(call.caller);
    call.backend->commands.execute(server, command_of(std::move(*proven), *context.desk.settings()),
                                   token_answer(context, call));
  };
  if (account && type == kAccount) return context.desk.prove_account(*account, now, std::move(done));
  if (type == kMunge) return context.desk.prove_munge(std::move(token), now, std::move(done));
  context.desk.prove(std::move(token), now, std::move(done));
}

// Makes one more login of a user that allowed it in its browser.
void make_another(const Call& call, const login::DeviceGrant& grant, std::string_view note, Reply reply) {
  Caller session{.principal = grant.principal, .token = grant.session, .origin = call.caller.origin};
  call.backend->commands.execute(
      std::move(session), CreateToken{.note = std::string(note), .token_kind = TokenKind::login}, std::move(reply));
}

void give_to_device(Context& context, Call call, const login::DeviceGrant& grant, std::string device_code) {
  // Not on the connection's thread: a program that has hung up asks again, too.
  auto reply = [desk = context.desk.weak_from_this(), device_code = std::move(device_code), now = call.reads().now(),
                answer = token_answer(context, call)](Result<CommandReply> made) mutable {
    const bool may_come_again = !made && made.error().code == ErrorCode::unavailable;
    if (const auto still = desk.lock())
      still->with_devices([&](login::DeviceCodes& codes) {
        return may_come_again ? codes.give_back(device_code, now) : codes.end(device_code, now);
      });
    answer(std::move(made));
  };
  make_another(call, grant, "ym login", std::move(reply));
}

void poll_device(Context& context, Call call, const FormFields& form) {
  const auto now = call.reads().now();
  const auto polled =
      context.desk.with_devices([&](login::DeviceCodes& codes) { return codes.poll(form.get("device_code"), now); });
  if (const auto* grant = std::get_if<login::DeviceGrant>(&polled))
    return give_to_device(context, std::move(call), *grant, form.get("device_code"));
  const auto [code, description] = [&]() -> std::pair<std::string_view, std::string_view> {
    switch (std::get<login::DevicePoll>(polled)) {
      case login::DevicePoll::pending: return {"authorization_pending", "the user has not decided yet"};
      case login::DevicePoll::slow_down: return {"slow_down", "wait five seconds longer between two questions"};
      case login::DevicePoll::denied: return {"access_denied", "the user did not allow it"};
      case login::DevicePoll::expired: break;
    }
    return {"expired_token", "the code is unknown or has expired; begin again"};
  }();
  call.responder.send(oauth_error(400, code, description));
}

// One of the two that have the code is not the user's program, so its token ends (RFC 6749, section 4.1.2).
void revoke_token_of_code(const Asker& asker, const login::CodeToken& made, Reply reply) {
  Caller owner{.principal = made.principal, .token = made.token, .origin = asker.caller.origin};
  asker.backend->commands.execute(std::move(owner), RevokeToken{made.token}, std::move(reply));
}

void refuse_code(Context& context, Call call, const std::string& code, const Error& error) {
  const auto now = call.reads().now();
  const auto made = context.desk.with_browsing([&](login::BrowsingCodes& codes) { return codes.token_of(code, now); });
  if (!made) return answer_failure(context, std::move(call), error);
  const Asker asker{.caller = call.caller, .backend = call.backend};
  revoke_token_of_code(
      asker, *made,
      answer_to<Result<CommandReply>>(asker, std::move(call.responder),
                                      [&context, error](const Asker& still, const Result<CommandReply>&) {
                                        return failure(context, still, error);
                                      }));
}

// The answer to a code that gave a token. The token is known by its code before its secret is on its way.
Response code_response(Context& context, const Asker& asker, const std::string& code, const TokenReply& made) {
  const login::CodeToken token{.principal = made.token.principal, .token = made.token.name};
  const auto now = asker.reads().now();
  if (context.desk.with_browsing([&](login::BrowsingCodes& codes) { return codes.note_token(code, token, now); }))
    return token_response(asker, made);
  revoke_token_of_code(asker, token, [](const Result<CommandReply>&) {});
  return failure(context, asker, {ErrorCode::unauthenticated, "the code came a second time; begin again"});
}

void redeem_code(Context& context, Call call, const FormFields& form) {
  const auto code = form.get("code");
  const auto now = call.reads().now();
  const auto grant = context.desk.with_browsing([&](login::BrowsingCodes& codes) {
    return codes.take(code, form.get("code_verifier"), form.get("redirect_uri"), now);
  });
  if (!grant) return refuse_code(context, std::move(call), code, grant.error());
  const Asker asker{.caller = call.caller, .backend = call.backend};
  make_another(call, *grant, "ym login --browser",
               answer_to<Result<CommandReply>>(asker, std::move(call.responder),
                                               [&context, code](const Asker& still, const Result<CommandReply>& reply) {
                                                 return reply ? code_response(context, still, code, *reply->token)
                                                              : failure(context, still, reply.error());
                                               }));
}

}  // namespace

void get_authorization_server(Context& context, Call call) {
  const auto settings = context.desk.settings();
  const std::string& url = settings->url;
  JsonWriter json;
  json.begin_object().field("issuer", url);
  json.field("token_endpoint", url + "/oauth2/token").field("revocation_endpoint", url + "/oauth2/revoke");
  if (!settings->issuers.empty()) {
    json.field("authorization_endpoint", url + "/oauth2/authorize");
    json.field("device_authorization_endpoint", url + "/oauth2/device_authorization");
  }
  const auto list = [&](std::string_view name, std::initializer_list<std::string_view> items) {
    json.key(name).begin_array();
    for (const auto item : items) json.value(item);
    json.end_array();
  };
  if (settings->issuers.empty()) list("grant_types_supported", {kOfExchange});
  else list("grant_types_supported", {kOfCode, kOfDevice, kOfExchange});
  list("response_types_supported", {"code"});
  list("code_challenge_methods_supported", {"S256"});
  list("token_endpoint_auth_methods_supported", {"none"});
  json.end_object();
  call.responder.send(json_response(std::move(json)));
}

void give_token(Context& context, Call call) {
  const auto form = fields_of(call);
  if (!form) return;
  if (!may_try(context, call))
    return call.responder.send(oauth_error(429, "slow_down", "too many logins from this address were refused"));
  const auto kind = form->get("grant_type");
  if (kind == kOfExchange) return exchange(context, std::move(call), *form);
  if (form->get("client_id") != kClient)
    return call.responder.send(oauth_error(400, "invalid_client", "the only client here is 'ym'"));
  if (kind == kOfDevice) return poll_device(context, std::move(call), *form);
  if (kind == kOfCode) return redeem_code(context, std::move(call), *form);
  call.responder.send(oauth_error(400, "unsupported_grant_type",
                                  fmt::format("grant_type is {}, {} or {}", kOfCode, kOfDevice, kOfExchange)));
}

void begin_device(Context& context, Call call) {
  const auto form = fields_of(call);
  if (!form) return;
  if (form->get("client_id") != kClient)
    return call.responder.send(oauth_error(400, "invalid_client", "the only client here is 'ym'"));
  if (context.desk.settings()->issuers.empty())
    return call.responder.send(
        oauth_error(400, "invalid_request", "this server has no provider to log in at (auth.issuers)"));
  const auto& origin = *call.caller.origin;
  login::Device device{.address = origin.source, .host = login::host_name_of(form->get("host"))};
  const auto now = call.reads().now();
  const auto codes =
      context.desk.with_devices([&](login::DeviceCodes& all) { return all.begin(std::move(device), now); });
  if (!codes) return call.responder.send(oauth_error(429, "slow_down", "too many logins wait for their users"));
  const std::string page = context.desk.settings()->url + "/device";
  JsonWriter json;
  json.begin_object().field("device_code", codes->device_code).field("user_code", codes->user_code);
  json.field("verification_uri", page).field("verification_uri_complete", page + "?user_code=" + codes->user_code);
  json.field("expires_in", login::kDeviceCodeLife.ms / 1000).field("interval", login::kPollInterval.ms / 1000);
  json.end_object();
  call.responder.send(json_response(std::move(json)));
}

// RFC 7009: it succeeds for a token that is unknown, too.
void revoke_login(Context&, Call call) {
  const auto form = fields_of(call);
  if (!form) return;
  auto caller = call.reads().authenticate(Secret(form->get("token")));
  if (!caller && caller.error().code == ErrorCode::unavailable) return call.responder.send(oauth_error(caller.error()));
  if (!caller) return call.responder.send({.body = "{}"});
  caller->origin = call.caller.origin;
  RevokeToken command{caller->token};
  answer_nothing(std::move(call), std::move(*caller), std::move(command));
}

void end_logins(Context& context, Call call) {
  const auto form = fields_of(call);
  if (!form) return;
  if (!may_try(context, call))
    return call.responder.send(oauth_error(429, "slow_down", "too many requests from this address were refused"));
  const auto now = call.reads().now();
  context.desk.read_logout(
      form->get("logout_token"), now, [&context, call = std::move(call)](Result<login::Logout> logout) mutable {
        if (!logout) return answer_failure(context, std::move(call), logout.error());
        Caller server = server_for(call.caller);
        answer_nothing(
            std::move(call), std::move(server),
            EndLogins{.issuer = logout->user.issuer, .subject = logout->user.subject, .before = logout->before});
      });
}

}  // namespace ym::api
