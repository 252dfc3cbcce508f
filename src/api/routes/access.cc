// Roles, bindings, projects, principals; and questions about access.
#include "api/json/access.h"

#include "api/routes/named_page.h"
#include "spec/access_decoder.h"

namespace ym::api {
namespace {

template <class Row>
const std::string& name_of_row(const Row& row) {
  return row.name;
}

template <class Row>
void list_rows(Call& call, std::string_view list, const std::vector<Row>& rows,
               void (*write)(JsonWriter&, const Row&)) {
  call.responder.send(named_page(call.request, list, rows, call.reads().last_seq(), name_of_row<Row>, write));
}

// The row of that name, as the caller sees it now.
template <class Row>
Response render_row(const std::vector<Row>& rows, const std::string& name, int status,
                    void (*write)(JsonWriter&, const Row&)) {
  const auto row = std::ranges::find(rows, name, name_of_row<Row>);
  if (row == rows.end()) return to_response(Error{ErrorCode::not_found, fmt::format("there is no '{}'", name)});
  JsonWriter json;
  write(json, *row);
  return json_response(std::move(json), status);
}

Response render_removed(const std::string& name) {
  JsonWriter json;
  json.begin_object().field("name", name).field("removed", true).end_object();
  return json_response(std::move(json));
}

// Refuses query parameters.
bool takes_no_query(Call& call) {
  Parameters parameters(call.request, {});
  auto fault = parameters.fault();
  if (fault) call.responder.send(std::move(*fault));
  return !fault;
}

void remove(Call call, Command command) {
  if (!takes_no_query(call)) return;
  std::string name = call.parameter("id");
  run_command(std::move(call), std::move(command),
              [name = std::move(name)](const Asker&, const CommandReply&) { return render_removed(name); });
}

void write_answer(JsonWriter& json, const AccessAnswer& answer) {
  json.begin_object().field("allowed", answer.grant.has_value()).field("principal", answer.principal);
  json.field("permission", to_string(answer.permission)).key("because");
  if (answer.grant) {
    json.begin_object().field("role", answer.grant->role).field("scope", to_string(answer.grant->scope));
    json.field("binding", answer.grant->binding).field("as_owner", answer.as_owner).end_object();
  } else {
    json.value(nullptr);
  }
  json.field("by_token", answer.by_token).field("reason", answer.reason).end_object();
}

}  // namespace

void list_roles(Context&, Call call) { list_rows(call, "roles", call.reads().access().roles(), write_role); }

void set_role(Context&, Call call) {
  if (!takes_no_query(call)) return;
  auto role = parse_role(call.request.body);
  if (!role) return call.responder.send(to_response(role.error()));
  std::string name = role->name;
  run_command(std::move(call), SetRole{std::move(*role)},
              [name = std::move(name)](const Asker& asker, const CommandReply&) {
                return render_row(asker.reads().access().roles(), name, 201, write_role);
              });
}

void remove_role(Context&, Call call) {
  std::string name = call.parameter("id");
  remove(std::move(call), RemoveRole{std::move(name)});
}

void list_bindings(Context&, Call call) {
  list_rows(call, "bindings", call.reads().access().bindings(call.caller), write_binding);
}

void bind_role(Context&, Call call) {
  if (!takes_no_query(call)) return;
  auto request = parse_binding_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  BindRole command{.role = std::move(request->role),
                   .to = std::move(request->to),
                   .scope = std::move(request->scope),
                   .lifetime = request->lifetime};
  run_command(std::move(call), std::move(command), [](const Asker&, const CommandReply& reply) {
    JsonWriter json;
    write_binding(json, *reply.binding);
    return json_response(std::move(json), 201);
  });
}

void unbind_role(Context&, Call call) {
  std::string id = call.parameter("id");
  remove(std::move(call), UnbindRole{std::move(id)});
}

void list_projects(Context&, Call call) {
  list_rows(call, "projects", call.reads().access().projects(call.caller), write_project);
}

void set_project(Context&, Call call) {
  if (!takes_no_query(call)) return;
  auto request = parse_project_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  std::string name = request->name;
  SetProject command{.project = std::move(request->name),
                     .description = std::move(request->description),
                     .visibility = request->visibility};
  run_command(std::move(call), std::move(command), [name = std::move(name)](const Asker& asker, const CommandReply&) {
    return render_row(asker.reads().access().projects(asker.caller), name, 201, write_project);
  });
}

void remove_project(Context&, Call call) {
  std::string name = call.parameter("id");
  remove(std::move(call), RemoveProject{std::move(name)});
}

void list_identities(Context&, Call call) {
  list_rows(call, "identities", call.reads().access().principals(call.caller), write_principal);
}

void change_identity(Context&, Call call) {
  if (!takes_no_query(call)) return;
  auto request = parse_principal_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  std::string name = call.parameter("id");
  ChangePrincipal command{.principal = name,
                          .disabled = request->disabled,
                          .groups = std::move(request->groups),
                          .issuer = std::move(request->issuer),
                          .subject = std::move(request->subject)};
  run_command(std::move(call), std::move(command), [name = std::move(name)](const Asker& asker, const CommandReply&) {
    return render_row(asker.reads().access().principals(asker.caller), name, 200, write_principal);
  });
}

void check_access(Context&, Call call) {
  if (!takes_no_query(call)) return;
  auto request = parse_access_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  const auto answer =
      call.reads().access().check(call.caller, {.verb = request->verb, .object = request->object, .as = request->as});
  if (!answer) return call.responder.send(to_response(answer.error()));
  JsonWriter json;
  write_answer(json, *answer);
  call.responder.send(json_response(std::move(json)));
}

void list_holders(Context&, Call call) {
  if (!takes_no_query(call)) return;
  const auto request = parse_access_request(call.request.body);
  if (!request) return call.responder.send(to_response(request.error()));
  const auto holders = call.reads().access().holders(call.caller, {.verb = request->verb, .object = request->object});
  if (!holders) return call.responder.send(to_response(holders.error()));
  JsonWriter json;
  json.begin_object().key("items").begin_array();
  for (const Binding& binding : *holders) write_binding(json, binding);
  json.end_array().end_object();
  call.responder.send(json_response(std::move(json)));
}

void list_denials(Context&, Call call) {
  if (!takes_no_query(call)) return;
  const auto& access = call.reads().access();
  const auto denials = access.denials();
  JsonWriter json;
  json.begin_object().field("mode", to_string(access.mode())).key("items").begin_array();
  for (const DenialRow& row : denials.rows) write_denial(json, row);
  json.end_array().field("left_out", denials.left_out).end_object();
  call.responder.send(json_response(std::move(json)));
}

}  // namespace ym::api
