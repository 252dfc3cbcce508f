#include "api/json/render.h"
#include "api/routes/named_page.h"
#include "spec/token_decoder.h"

namespace ym::api {
namespace {

const std::string& id_of(const TokenView& token) { return token.id; }

void write_fields(JsonWriter& json, const TokenView& token) {
  json.field("id", token.id).field("principal", token.principal).field("role", token.role);
  json.field("created_at", token.created_at);
}

void write_token(JsonWriter& json, const TokenView& token) {
  json.begin_object();
  write_fields(json, token);
  json.end_object();
}

// Only this answer shows the secret.
Response render_new(const TokenReply& made) {
  JsonWriter json;
  json.begin_object();
  write_fields(json, made.token);
  json.field("token", made.secret->reveal()).end_object();
  return json_response(std::move(json), 201);
}

Response render_revoked(const TokenReply& reply) {
  JsonWriter json;
  json.begin_object();
  write_fields(json, reply.token);
  json.field("revoked", true).end_object();
  return json_response(std::move(json));
}

void change(Call call, TokenCommand command, Response (*render)(const TokenReply&)) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  call.backend->commands.change_tokens(
      call.caller, std::move(command),
      [responder = std::move(call.responder), render](Result<TokenReply> reply) mutable {
        responder.send_from(
            [reply = std::move(reply), render] { return reply ? render(*reply) : to_response(reply.error()); });
      });
}

}  // namespace

void list_tokens(Context&, Call call) {
  auto tokens = call.reads().tokens(call.caller);
  std::ranges::sort(tokens, {}, id_of);  // a page continues after an id
  call.responder.send(named_page(call.request, "tokens", tokens, call.reads().last_seq(), id_of, write_token));
}

void create_token(Context&, Call call) {
  auto request = parse_token_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  change(std::move(call), CreateToken{std::move(request->principal), std::move(request->role)}, render_new);
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
