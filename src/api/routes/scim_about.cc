// What this server has of SCIM (RFC 7643, sections 5 to 7).
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "api/routes/scim_request.h"

namespace ym::api {
namespace {

constexpr std::string_view kScimFeatures =
    R"({"schemas":["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],)"
    R"("patch":{"supported":true},"bulk":{"supported":false,"maxOperations":0,"maxPayloadSize":0},)"
    R"("filter":{"supported":true,"maxResults":200},"changePassword":{"supported":false},)"
    R"("sort":{"supported":false},"etag":{"supported":false},"authenticationSchemes":[{"type":"oauthbearertoken",)"
    R"("name":"Token","description":"The token of a service account that `ym token create --service` made"}]})";

// An entry of a list, by its id.
struct ScimEntry {
  std::string_view id, json;
};

constexpr std::array kScimResourceTypes{
    ScimEntry{"User", R"({"schemas":["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],"id":"User","name":"User",)"
                      R"("endpoint":"/Users","schema":"urn:ietf:params:scim:schemas:core:2.0:User"})"},
    ScimEntry{"Group",
              R"({"schemas":["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],"id":"Group","name":"Group",)"
              R"("endpoint":"/Groups","schema":"urn:ietf:params:scim:schemas:core:2.0:Group"})"}};

struct ScimAttribute {
  std::string_view name;
  std::string_view type = "string";
  bool required = false, exact = false, multiple = false;
  bool unique = false;
  std::span<const ScimAttribute> parts{};
};

constexpr std::array kScimMail{ScimAttribute{.name = "value"}, ScimAttribute{.name = "type"},
                               ScimAttribute{.name = "primary", .type = "boolean"}};
constexpr std::array kScimMember{ScimAttribute{.name = "value", .exact = true}, ScimAttribute{.name = "display"},
                                 ScimAttribute{.name = "type"}};
constexpr std::array kUserAttributes{
    ScimAttribute{.name = "userName", .required = true, .unique = true},
    ScimAttribute{.name = "externalId", .exact = true}, ScimAttribute{.name = "displayName"},
    ScimAttribute{.name = "active", .type = "boolean"},
    ScimAttribute{.name = "emails", .type = "complex", .multiple = true, .parts = kScimMail}};
constexpr std::array kGroupAttributes{
    ScimAttribute{.name = "displayName", .required = true, .exact = true, .unique = true},
    ScimAttribute{.name = "externalId", .exact = true},
    ScimAttribute{.name = "members", .type = "complex", .multiple = true, .parts = kScimMember}};

struct ScimSchema {
  std::string_view id, name;
  std::span<const ScimAttribute> attributes;
};
constexpr std::array kScimSchemas{ScimSchema{scim::kUserSchema, "User", kUserAttributes},
                                  ScimSchema{scim::kGroupSchema, "Group", kGroupAttributes}};

void write_scim_attributes(JsonWriter& json, std::string_view name, std::span<const ScimAttribute> attributes) {
  json.key(name).begin_array();
  for (const ScimAttribute& one : attributes) {
    json.begin_object().field("name", one.name).field("type", one.type).field("multiValued", one.multiple);
    json.field("required", one.required).field("caseExact", one.exact).field("mutability", "readWrite");
    json.field("returned", "default").field("uniqueness", one.unique ? "server" : "none");
    if (!one.parts.empty()) write_scim_attributes(json, "subAttributes", one.parts);
    json.end_object();
  }
  json.end_array();
}

void write_scim_schema(JsonWriter& json, const ScimSchema& schema) {
  json.begin_object().key("schemas").begin_array().value("urn:ietf:params:scim:schemas:core:2.0:Schema").end_array();
  json.field("id", schema.id).field("name", schema.name);
  write_scim_attributes(json, "attributes", schema.attributes);
  json.end_object();
}

void write_scim_entry(JsonWriter& json, const ScimEntry& entry) { json.raw(entry.json); }

template <std::size_t kCount, class Item>
void answer_scim_list(const Context& context, Call& call, const std::array<Item, kCount>& items,
                      void (*write)(JsonWriter&, const Item&)) {
  if (!provider_for(context, call)) return;
  JsonWriter json;
  scim::write_list(json, kCount, 1, kCount, [&] {
    for (const Item& item : items) write(json, item);
  });
  call.responder.send(scim::answer(std::move(json)));
}

template <std::size_t kCount, class Item>
void answer_scim_one(const Context& context, Call& call, const std::array<Item, kCount>& items,
                     void (*write)(JsonWriter&, const Item&)) {
  if (!provider_for(context, call)) return;
  const auto item = std::ranges::find(items, call.parameter("id"), &Item::id);
  if (item == items.end()) return call.responder.send(no_such_resource("description"));
  JsonWriter json;
  write(json, *item);
  call.responder.send(scim::answer(std::move(json)));
}

}  // namespace

void get_scim_features(Context& context, Call call) {
  if (!provider_for(context, call)) return;
  JsonWriter json;
  json.raw(kScimFeatures);
  call.responder.send(scim::answer(std::move(json)));
}

void list_scim_resource_types(Context& context, Call call) {
  answer_scim_list(context, call, kScimResourceTypes, write_scim_entry);
}
void get_scim_resource_type(Context& context, Call call) {
  answer_scim_one(context, call, kScimResourceTypes, write_scim_entry);
}
void list_scim_schemas(Context& context, Call call) {
  answer_scim_list(context, call, kScimSchemas, write_scim_schema);
}
void get_scim_schema(Context& context, Call call) { answer_scim_one(context, call, kScimSchemas, write_scim_schema); }

}  // namespace ym::api
