// A small checker of JSON values against JSON Schema, for the keywords of the OpenAPI document: $ref, anyOf, oneOf,
// type, enum, const, required, properties, additionalProperties, items and all bounds. Keys of objects that no schema
// mentions are errors, and so are keywords that it does not know.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace ym::testing {

// Empty if the value matches; else the place and the difference.
std::string check_schema(const boost::json::value& document, const boost::json::value& schema,
                         const boost::json::value& value);

// The target of "#/components/schemas/Job"; null if there is none.
const boost::json::value* follow_reference(const boost::json::value& document, std::string_view reference);

}  // namespace ym::testing
