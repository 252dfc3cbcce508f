#include "api/scim/answer.h"

#include <fmt/format.h>

#include "api/routes/route.h"
#include "spec/text/value.h"

namespace ym::api::scim {
namespace {

constexpr std::string_view kErrorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";
constexpr std::string_view kListSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

void write_schema(JsonWriter& json, std::string_view schema) {
  json.key("schemas").begin_array().value(schema).end_array();
}

Response refusal_of_scim(int status, std::string_view type, std::string_view detail) {
  JsonWriter json;
  write_schema(json.begin_object(), kErrorSchema);
  json.field("status", std::to_string(status));
  if (!type.empty()) json.field("scimType", type);
  json.field("detail", detail).end_object();
  return answer(std::move(json), status);
}

// What is wrong, by the code of a problem (problem.h). Empty: SCIM has no name for it.
std::string_view type_of(const Response& problem) {
  if (problem.status == 409) return "uniqueness";
  if (problem.problem == "invalid") return "invalidValue";
  return {};
}

std::string text_in(const spec::Value& object, std::string_view name) {
  for (std::size_t i = 0; i < object.keys.size(); ++i)
    if (object.keys[i] == name) return object.items[i].text;
  return {};
}

void write_meta(JsonWriter& json, std::string_view type, Instant created, std::string_view location) {
  json.key("meta").begin_object().field("resourceType", type).field("created", created);
  json.field("location", location).end_object();
}

}  // namespace

Response answer(JsonWriter json, int status) {
  return {.status = status, .content_type = kScim, .body = std::move(json).take()};
}

Response to_response(const Fault& fault) {
  auto response = refusal_of_scim(400, fault.type, fault.detail);
  response.problem = "invalid";
  return response;
}

Response as_scim(Response problem) {
  const auto said = spec::read_json(problem.body);
  const int status = problem.status == 422 ? 400 : problem.status;
  auto response = refusal_of_scim(status, type_of(problem), said ? text_in(*said, "detail") : std::string());
  response.headers = std::move(problem.headers);
  response.problem = problem.problem;
  return response;
}

std::string location_of(const Provider& provider, std::string_view kind, std::string_view id) {
  return fmt::format("{}/{}/{}", provider.url, kind, id);
}

std::string user_name_of(const Principal& user, const Provider& provider) {
  std::string_view name = user.provisioned->user_name;
  if (name.starts_with(provider.issuer.handle_prefix)) name.remove_prefix(provider.issuer.handle_prefix.size());
  return std::string(name);
}

void write_user(JsonWriter& json, const Principal& user, const Provider& provider) {
  write_schema(json.begin_object(), kUserSchema);
  json.field("id", user.name);
  if (!user.provisioned->external_id.empty()) json.field("externalId", user.provisioned->external_id);
  json.field("userName", user_name_of(user, provider)).field("active", !is_disabled(user));
  if (!user.display.empty()) json.field("displayName", user.display);
  if (!user.email.empty()) {
    json.key("emails").begin_array().begin_object().field("value", user.email).field("type", "work");
    json.field("primary", true).end_object().end_array();
  }
  write_meta(json, "User", user.created_at, location_of(provider, "Users", user.name));
  json.end_object();
}

void write_group(JsonWriter& json, const ProvisionedGroup& group, const std::vector<const Principal*>* members,
                 const Provider& provider) {
  write_schema(json.begin_object(), kGroupSchema);
  json.field("id", group.name);
  if (!group.external_id.empty()) json.field("externalId", group.external_id);
  json.field("displayName", group.display);
  if (members != nullptr) {
    json.key("members").begin_array();
    for (const Principal* member : *members)
      json.begin_object()
          .field("value", member->name)
          .field("display", user_name_of(*member, provider))
          .field("type", "User")
          .end_object();
    json.end_array();
  }
  write_meta(json, "Group", group.created_at, location_of(provider, "Groups", group.name));
  json.end_object();
}

void write_list(JsonWriter& json, std::size_t total, std::size_t start, std::size_t count,
                const std::function<void()>& write) {
  write_schema(json.begin_object(), kListSchema);
  json.field("totalResults", total).field("startIndex", start).field("itemsPerPage", count);
  json.key("Resources").begin_array();
  write();
  json.end_array().end_object();
}

}  // namespace ym::api::scim
