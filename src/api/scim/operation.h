// Operation: what a request does to one attribute. A resource that is sent as a whole is read as operations, too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/scim/path.h"
#include "spec/text/value.h"

namespace ym::api::scim {

struct Operation {
  enum class Kind : std::uint8_t { add, replace, remove };
  Kind kind = Kind::replace;
  Path path;
  spec::Value value{};  // null: none
};

// Of a resource: one for each of its attributes. Errors: invalidSyntax, invalidPath, invalidFilter.
Read<std::vector<Operation>> read_resource(std::string_view body);
// Of a patch. A value without a path is an object with paths as names. Errors: the same; noTarget.
Read<std::vector<Operation>> read_patch(std::string_view body);

// A member of an object, in any letter case. Null: it has none, or is no object.
const spec::Value* find_attribute(const spec::Value& in, std::string_view name);
// The text that the operation leaves: empty if it removes it. Errors: invalidValue.
Read<std::string> text_left(const Operation& operation);

}  // namespace ym::api::scim
