#include "api/json/access.h"

#include <string>

namespace ym::api {
namespace {

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name).begin_array();
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

std::string text_of(const Grantee& grantee) {
  return grantee.kind == Grantee::Kind::group ? "group:" + grantee.name : grantee.name;
}

}  // namespace

void write_token_fields(JsonWriter& json, const AccessToken& token) {
  json.field("id", token.name).field("principal", token.principal);
  write_texts(json, "scopes", token.scopes);
  json.field("created_at", token.created_at).field("expires_at", token.expires_at);
  json.field("created_by", token.created_by).field("note", token.note).field("kind", to_string(token.kind));
  json.field("last_used_at", token.last_used_at);
}

std::string_view word_of(const TokenLimits& limits) {
  if (limits.is_none()) return kAdminRole;
  return limits.permissions && !limits.permissions->has(Permission::jobs_create) ? "viewer" : kUserRole;
}

void write_token(JsonWriter& json, const AccessToken& token) {
  json.begin_object();
  write_token_fields(json, token);
  json.end_object();
}

void write_principal(JsonWriter& json, const Principal& principal) {
  json.begin_object().field("id", principal.name).field("kind", to_string(principal.kind));
  json.field("name", principal.handle).field("issuer", principal.issuer).field("subject", principal.subject);
  json.field("display", principal.display).field("email", principal.email);
  write_texts(json, "groups", principal.groups);
  write_texts(json, "issuer_groups", principal.issuer_groups);
  json.field("issuer_groups_until", principal.issuer_groups_until);
  json.field("created_at", principal.created_at).field("disabled_at", principal.disabled_at);
  json.field("provisioned",
             principal.provisioned ? std::optional(to_string(principal.provisioned->state)) : std::nullopt);
  json.end_object();
}

void write_provisioned_group(JsonWriter& json, const ProvisionedGroup& group) {
  json.begin_object().field("id", group.name).field("issuer", group.issuer).field("display", group.display);
  json.field("group", group.group).field("created_at", group.created_at).end_object();
}

void write_role(JsonWriter& json, const Role& role) {
  json.begin_object().field("name", role.name).field("description", role.description);
  json.key("permissions").begin_array();
  for (const Permission one : role.permissions) json.value(to_string(one));
  json.end_array().field("built_in", find_built_in_role(role.name) != nullptr).end_object();
}

void write_binding(JsonWriter& json, const Binding& binding) {
  json.begin_object().field("id", binding.name).field("role", binding.role).field("to", text_of(binding.grantee));
  json.field("scope", to_string(binding.scope)).field("expires_at", binding.expires_at);
  json.field("created_by", binding.created_by).field("managed_by", to_string(binding.managed_by)).end_object();
}

void write_denial(JsonWriter& json, const DenialRow& row) {
  const auto if_any = [](const std::string& name) { return name.empty() ? std::nullopt : std::optional(name); };
  json.begin_object().field("principal", row.principal).field("permission", to_string(row.permission));
  json.field("project", if_any(row.project)).field("queue", if_any(row.queue)).field("cluster", if_any(row.cluster));
  json.field("times", row.times).field("first_at", row.first).field("last_at", row.last).end_object();
}

void write_project(JsonWriter& json, const Project& project) {
  json.begin_object().field("name", project.name).field("description", project.description);
  json.field("visibility", to_string(project.visibility)).field("managed_by", to_string(project.managed_by));
  json.end_object();
}

}  // namespace ym::api
