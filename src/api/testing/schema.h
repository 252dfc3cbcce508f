// A small checker of JSON values against JSON Schema, as far as openapi.json uses it:
// $ref, oneOf, type, enum, const, required, properties, additionalProperties, items,
// minimum, maximum. Keys of objects that no schema mentions are errors.
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
