// Builders of JSON Schema (2020-12), for the OpenAPI document. Pure functions that return values.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/enum_names.h"

namespace ym::api::openapi {

using Schema = boost::json::object;

// --- values
struct TextRule {
  std::size_t least = 0;  // characters
  std::size_t most = 0;   // 0: no limit
  std::string_view pattern{};
};
Schema text();
Schema text(TextRule rule);
Schema time();  // RFC 3339
Schema flag();
Schema whole();
Schema whole(std::int64_t least);
Schema whole(std::int64_t least, std::int64_t most);
Schema number();
Schema number(std::int64_t least);
// One word of a closed set.
Schema words(std::span<const std::string_view> all);
Schema words(std::initializer_list<std::string_view> all);
template <NamedEnum E>
Schema one_of() {
  return words(names_of_values<E>());
}

// --- from other schemas
Schema ref(std::string_view name);  // a schema of `components`
Schema list(Schema item);
Schema list(Schema item, std::size_t most);
Schema map_of(Schema value);  // an object with any keys
Schema or_null(Schema schema);
Schema either(Schema first, Schema second);
Schema described(Schema schema, std::string_view meaning);
// A reference that replaces the same schema and keeps its description.
Schema referred(const Schema& schema, std::string_view name);
Schema with_default(Schema schema, boost::json::value value);

// --- objects
enum class Presence : std::uint8_t { required, optional };
inline constexpr Presence kOptional = Presence::optional;

struct Member {
  std::string_view name;
  Schema schema;
  std::string_view meaning{};  // may be empty
  Presence presence = Presence::required;
};
// An object. It may get more members in later versions.
Schema members(std::initializer_list<Member> all);
Schema any_object();
void add_member(Schema& object, const Member& member);
Schema extended(Schema object, std::initializer_list<Member> more);
// The same object; any other key is an error.
Schema closed(Schema object);
// The same object; other keys are allowed and not described.
Schema opened(Schema object);
// The schema of one member. Precondition: the object has it.
Schema& member_of(Schema& object, std::string_view name);

// A schema of `components` that other schemas reference.
struct Named {
  std::string_view name;
  Schema schema;
  std::string_view meaning{};  // may be empty
};
// A page of a list: {items, next, as_of}. `next`: the cursor of the next page.
Schema page_of(std::string_view item, Schema next = text());

boost::json::value json_text(std::string_view text);

}  // namespace ym::api::openapi
