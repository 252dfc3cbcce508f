#include "spec/access_decoder.h"

#include "spec/keys/read.h"
#include "spec/text/field.h"
#include "spec/text/value.h"

namespace ym {
namespace {

using spec::Field;
using spec::MapReader;

constexpr Duration kShortestLife = seconds(1), kLongestLife = hours(10 * 366 * 24);
constexpr std::size_t kMostTexts = 1000;

// Reads the object's keys by `read`, and reports unknown keys.
template <class Request, class Read>
Result<Request> parse_object(std::string_view json, Read read) {
  const auto value = spec::read_json(json);
  if (!value) return std::unexpected(value.error());
  spec::Problems problems;
  const Field root{&*value, "", &problems};
  MapReader map(root);
  Request request;
  read(map, request);
  map.finish();
  if (!problems.empty()) return std::unexpected(problems.error());
  return request;
}

void read_required(MapReader& map, std::string_view key, std::string_view hint, std::string& out) {
  if (auto field = map.require(key, hint)) out = read_string(*field).value_or("");
}

std::vector<std::string> read_texts(const Field& field) {
  std::vector<std::string> texts;
  const auto items = read_list(field, "texts");
  if (items && items->size() > kMostTexts) field.wrong("at most 1000 are allowed");
  for (const Field& item : items.value_or(std::vector<Field>{})) texts.push_back(read_string(item).value_or(""));
  return texts;
}

void read_scope(const Field& field, Scope& out) {
  const auto text = read_string(field);
  if (!text) return;
  if (auto scope = parse_scope(*text)) out = std::move(*scope);
  else field.wrong("must be site, project:NAME, queue:NAME or cluster:NAME");
}

void read_permissions(const Field& field, std::vector<Permission>& out) {
  for (const Field& item : read_list(field, "permissions").value_or(std::vector<Field>{})) {
    const auto text = read_string(item);
    if (!text) continue;
    if (const auto permission = parse_enum<Permission>(*text)) out.push_back(*permission);
    else item.wrong("there is no permission " + spec::quoted(*text) + "; see `ym role show admin`");
  }
}

void read_visibility(const Field& field, std::optional<Visibility>& out) {
  const auto text = read_string(field);
  if (!text) return;
  out = parse_enum<Visibility>(*text);
  if (!out) field.wrong("must be private, queue or full");
}

}  // namespace

Result<BindingRequest> parse_binding_request(std::string_view json) {
  return parse_object<BindingRequest>(json, [](MapReader& map, BindingRequest& request) {
    read_required(map, "role", "write the role, for example member", request.role);
    read_required(map, "to", "write the receiver: a name, or group:NAME", request.to);
    if (auto scope = map.require("scope", "write where: site, project:NAME, queue:NAME or cluster:NAME"))
      read_scope(*scope, request.scope);
    if (auto ttl = map.find("ttl")) request.lifetime = read_duration(*ttl, kShortestLife, kLongestLife);
  });
}

Result<Role> parse_role(std::string_view json) {
  return parse_object<Role>(json, [](MapReader& map, Role& role) {
    read_required(map, "name", "write the name of the role", role.name);
    if (auto permissions = map.require("permissions", "write the list of its permissions"))
      read_permissions(*permissions, role.permissions);
    if (auto description = map.find("description")) role.description = read_string(*description).value_or("");
  });
}

Result<ProjectRequest> parse_project_request(std::string_view json) {
  return parse_object<ProjectRequest>(json, [](MapReader& map, ProjectRequest& request) {
    read_required(map, "name", "write the name of the project", request.name);
    if (auto description = map.find("description")) request.description = read_string(*description);
    if (auto visibility = map.find("visibility")) read_visibility(*visibility, request.visibility);
  });
}

Result<PrincipalRequest> parse_principal_request(std::string_view json) {
  return parse_object<PrincipalRequest>(json, [](MapReader& map, PrincipalRequest& request) {
    if (auto disabled = map.find("disabled")) request.disabled = read_flag(*disabled);
    if (auto groups = map.find("groups")) request.groups = read_texts(*groups);
    const auto issuer = map.find("issuer"), subject = map.find("subject");
    constexpr keys::Text kText{.most = 256};
    if (issuer) request.issuer = keys::read(*issuer, kText);
    if (subject) request.subject = keys::read(*subject, kText);
    for (const auto& [field, text] : {std::pair(&issuer, &request.issuer), std::pair(&subject, &request.subject)})
      if (*field && *text && (*text)->empty()) (*field)->wrong("must not be empty");
    if (issuer && !subject) issuer->wrong("needs `subject`: what the provider calls the user");
    if (subject && !issuer) subject->wrong("needs `issuer`: the URL of the provider");
  });
}

Result<AccessRequest> parse_access_request(std::string_view json) {
  return parse_object<AccessRequest>(json, [](MapReader& map, AccessRequest& request) {
    read_required(map, "verb", "write what, for example cancel or jobs.cancel", request.verb);
    read_required(map, "object", "write on what, for example job NAME, queue NAME or site", request.object);
    if (auto as = map.find("as")) request.as = read_string(*as).value_or("");
  });
}

}  // namespace ym
