#include "api/json/access.h"
#include "api/metrics.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "api/static_files.h"

namespace ym::api {
namespace {

Response status(std::string_view text) {
  JsonWriter json;
  json.begin_object().field("status", text).end_object();
  return json_response(std::move(json));
}

// A caller without limits that does not have all rights of the site is a user.
std::string_view role_of(const Access& access) {
  const auto word = word_of(access.limits);
  return word != kAdminRole || holds(access, Permissions::all(), {}) ? word : kUserRole;
}

}  // namespace

void get_root(Context&, Call call) {
  call.responder.send(
      {.content_type = kText,
       .body = "Yardmaster " YM_VERSION "\nThe API is under /api/v1 and described by /api/v1/openapi.json.\n"});
}

void get_openapi(Context& context, Call call) {
  auto document = context.files.answer(call.request, "openapi.json");
  YM_ASSERT(document);
  call.responder.send(std::move(*document));
}

void get_metrics(Context& context, Call call) {
  call.responder.send(
      {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = context.metrics.render(call.reads())});
}

// This answer itself proves that the process is alive.
void get_health(Context&, Call call) { call.responder.send(status("ok")); }

void get_readiness(Context&, Call call) {
  if (auto reason = call.reads().not_ready()) {
    return call.responder.send(busy(std::move(*reason)));
  }
  call.responder.send(status("ready"));
}

void get_caller(Context&, Call call) {
  const auto& reads = call.reads();
  const auto tokens = reads.access().tokens(call.caller);
  const auto token = std::ranges::find(tokens, call.caller.token, &AccessToken::name);
  JsonWriter json;
  json.begin_object().field("user", reads.access().handle_of(call.caller.principal));
  json.field("role", role_of(reads.access_of(call.caller))).key("token");
  if (token == tokens.end()) json.value(nullptr);
  else write_token(json, *token);
  json.key("bindings").begin_array();
  for (const Binding& binding : reads.access().bindings_of(call.caller)) write_binding(json, binding);
  json.end_array().end_object();
  call.responder.send(json_response(std::move(json)));
}

}  // namespace ym::api
