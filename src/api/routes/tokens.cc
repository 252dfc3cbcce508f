#include <algorithm>

#include "api/json/access.h"
#include "api/json/render.h"
#include "api/routes/named_page.h"
#include "login/desk.h"
#include "spec/token_decoder.h"

namespace ym::api {
namespace {

struct TokenRow {
  AccessToken token;
  std::string_view word;
};

const std::string& id_of(const TokenRow& row) { return row.token.name; }

TokenRow row_of(const Asker& asker, const AccessToken& token) {
  const auto access = asker.reads().access_of(asker.caller);
  return {token, word_of(limits_of(token.scopes, *access.rules))};
}

void write_fields(JsonWriter& json, const TokenRow& row) {
  write_token_fields(json, row.token);
  json.field("role", row.word);
}

void write_row(JsonWriter& json, const TokenRow& row) {
  json.begin_object();
  write_fields(json, row);
  json.end_object();
}

// Only this answer shows the secret.
Response render_new(const Asker& asker, CommandReply reply) {
  JsonWriter json;
  json.begin_object();
  write_fields(json, row_of(asker, reply.token->token));
  json.field("token", reply.token->secret->reveal()).end_object();
  return json_response(std::move(json), 201);
}

Response render_revoked(const Asker& asker, CommandReply reply) {
  JsonWriter json;
  json.begin_object();
  write_fields(json, row_of(asker, reply.token->token));
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
  std::vector<TokenRow> rows;
  for (const AccessToken& token : call.reads().access().tokens(call.caller)) rows.push_back(row_of(call, token));
  call.responder.send(named_page(call.request, "tokens", rows, call.reads().last_seq(), id_of, write_row));
}

void create_token(Context& context, Call call) {
  auto request = parse_token_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  auto scopes = scopes_of(*request);
  const auto settings = context.desk.settings();
  const bool speaks_for_provider =
      !request->principal.empty() &&
      std::ranges::any_of(settings->issuers, [&](const Issuer& issuer) { return issuer.scim == request->principal; });
  change(std::move(call),
         CreateToken{.principal = std::move(request->principal),
                     .kind = request->service ? std::optional(PrincipalKind::service) : std::nullopt,
                     .scopes = std::move(scopes),
                     .lifetime = request->lifetime,
                     .note = std::move(request->note),
                     .needs_everything = speaks_for_provider},
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
