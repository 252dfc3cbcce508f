// The OpenAPI 3.1 document of this API, made from the table of routes, the operations and the schemas.
#pragma once

#include <string>
#include <string_view>

namespace ym::api {

// JSON text. Made at the first call; valid until the program ends. Any thread may call it.
std::string_view openapi_document();

namespace openapi {

// Makes the document. A route without an operation, or an operation without a route, is a programmer error.
std::string make_document();

}  // namespace openapi
}  // namespace ym::api
