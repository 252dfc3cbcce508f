// A small checker of JSON values against JSON Schema, as far as the OpenAPI document uses it: $ref, anyOf, oneOf, type,
// enum, const, required, properties, additionalProperties, items and all bounds. Keys of objects that no schema
// mentions are errors, and so are keywords that it does not know.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace ym::testing {

// Empty if the value fits; else where and why it does not.
std::string check_schema(const boost::json::value& document, const boost::json::value& schema,
                         const boost::json::value& value);

// What "#/components/schemas/Job" means; null if there is nothing.
const boost::json::value* follow_reference(const boost::json::value& document, std::string_view reference);

}  // namespace ym::testing
