#include "api/json/access.h"
#include "api/json/render.h"
#include "api/routes/named_page.h"
#include "spec/token_decoder.h"

namespace ym::api {
namespace {

const std::string& id_of(const AccessToken& token) { return token.name; }

// Only this answer shows the secret.
Response render_new(const Asker&, CommandReply reply) {
  JsonWriter json;
  json.begin_object();
  write_token_fields(json, reply.token->token);
  json.field("token", reply.token->secret->reveal()).end_object();
  return json_response(std::move(json), 201);
}

Response render_revoked(const Asker&, CommandReply reply) {
  JsonWriter json;
  json.begin_object();
  write_token_fields(json, reply.token->token);
  json.field("revoked", true).end_object();
  return json_response(std::move(json));
}

// A role in a request limits the token; the role admin limits nothing.
std::optional<std::vector<std::string>> scopes_of(TokenRequest& request) {
  if (!request.role) return std::move(request.scopes);
  auto scopes = std::move(request.scopes).value_or(std::vector<std::string>{});
  if (*request.role != kAdminRole) scopes.push_back(*request.role);
  return scopes;
}

void change(Call call, Command command, Response (*render)(const Asker&, CommandReply)) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  run_command(std::move(call), std::move(command), render);
}

}  // namespace

void list_tokens(Context&, Call call) {
  const auto tokens = call.reads().tokens(call.caller);
  call.responder.send(named_page(call.request, "tokens", tokens, call.reads().last_seq(), id_of, write_token));
}

void create_token(Context&, Call call) {
  auto request = parse_token_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  auto scopes = scopes_of(*request);
  change(std::move(call),
         CreateToken{.principal = std::move(request->principal),
                     .kind = request->service ? std::optional(PrincipalKind::service) : std::nullopt,
                     .scopes = std::move(scopes),
                     .lifetime = request->lifetime,
                     .note = std::move(request->note)},
         render_new);
}

void revoke_token(Context&, Call call) {
  std::string id = call.parameter("id");
  change(std::move(call), RevokeToken{std::move(id)}, render_revoked);
}

void rotate_admin_token(Context&, Call call) {
  if (auto refusal = refuse_content(call.request)) return call.responder.send(std::move(*refusal));
  std::string principal = call.caller.principal;
  change(std::move(call), RotateAdminToken{std::move(principal)}, render_new);
}

}  // namespace ym::api
