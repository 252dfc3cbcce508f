#include "api/openapi/schema.h"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <string>

#include "base/assert.h"

namespace ym::api::openapi {
namespace {

namespace json = boost::json;

Schema null() { return {{"type", "null"}}; }

}  // namespace

json::value json_text(std::string_view text) { return json::string(text); }

Schema text() { return {{"type", "string"}}; }
Schema text(TextRule rule) {
  Schema schema = text();
  if (rule.least > 0) schema["minLength"] = rule.least;
  if (rule.most > 0) schema["maxLength"] = rule.most;
  if (!rule.pattern.empty()) schema["pattern"] = json_text(rule.pattern);
  return schema;
}
Schema time() { return {{"type", "string"}, {"format", "date-time"}}; }
Schema flag() { return {{"type", "boolean"}}; }
Schema whole() { return {{"type", "integer"}}; }
Schema whole(std::int64_t least) { return {{"type", "integer"}, {"minimum", least}}; }
Schema whole(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}
Schema number() { return {{"type", "number"}}; }
Schema number(std::int64_t least) { return {{"type", "number"}, {"minimum", least}}; }

Schema words(std::span<const std::string_view> all) {
  json::array names;
  for (const std::string_view word : all) names.push_back(json_text(word));
  return {{"type", "string"}, {"enum", std::move(names)}};
}
Schema words(std::initializer_list<std::string_view> all) { return words(std::span(all.begin(), all.size())); }

Schema ref(std::string_view name) { return {{"$ref", json_text("#/components/schemas/" + std::string(name))}}; }
Schema list(Schema item) { return {{"type", "array"}, {"items", std::move(item)}}; }
Schema list(Schema item, std::size_t most) {
  Schema schema = list(std::move(item));
  schema["maxItems"] = most;
  return schema;
}
Schema map_of(Schema value) { return {{"type", "object"}, {"additionalProperties", std::move(value)}}; }

Schema or_null(Schema schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return either(std::move(schema), null());
  if (auto* names = schema.if_contains("enum")) names->as_array().push_back(nullptr);
  json::value known = type->value();
  type->value() = json::array{std::move(known), "null"};
  return schema;
}

Schema either(Schema first, Schema second) { return {{"anyOf", json::array{std::move(first), std::move(second)}}}; }

Schema described(Schema schema, std::string_view meaning) {
  schema["description"] = json_text(meaning);
  return schema;
}

Schema referred(const Schema& schema, std::string_view name) {
  Schema reference = ref(name);
  if (const auto* meaning = schema.if_contains("description")) reference["description"] = *meaning;
  return reference;
}

Schema with_default(Schema schema, json::value value) {
  schema["default"] = std::move(value);
  return schema;
}

Schema members(std::initializer_list<Member> all) {
  return extended({{"type", "object"}, {"properties", Schema()}}, all);
}

Schema any_object() { return {{"type", "object"}}; }

void add_member(Schema& object, const Member& member) {
  Schema schema = member.schema;
  if (!member.meaning.empty()) schema["description"] = json_text(member.meaning);
  auto& properties = object.at("properties").as_object();
  const bool is_new = properties.emplace(member.name, std::move(schema)).second;
  YM_ASSERT(is_new);
  if (member.presence == Presence::optional) return;
  auto& required = object["required"];
  if (required.is_null()) required = json::array();
  required.as_array().push_back(json_text(member.name));
}

Schema extended(Schema object, std::initializer_list<Member> more) {
  for (const Member& member : more) add_member(object, member);
  return object;
}

Schema closed(Schema object) {
  object["additionalProperties"] = false;
  return object;
}

Schema opened(Schema object) {
  object["additionalProperties"] = true;
  return object;
}

Schema page_of(std::string_view item, Schema next) {
  return members({
      {"items", list(ref(item))},
      {"next", or_null(std::move(next)), "The cursor of the next page. Null: this is the last one."},
      {"as_of", whole(), "Watch the event feed from here, and no event is missed."},
  });
}

Schema& member_of(Schema& object, std::string_view name) { return object.at("properties").at(name).as_object(); }

}  // namespace ym::api::openapi
