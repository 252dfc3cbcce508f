// The OpenAPI 3.1 document of this API, made of the table of routes, the operations and the schemas.
#pragma once

#include <string>
#include <string_view>

namespace ym::api {

// JSON text. Made at the first call; it lives as long as the program. Threads: any.
std::string_view openapi_document();

namespace openapi {

// Makes it. A route without an operation, and an operation without a route, are errors of the program.
std::string make_document();

}  // namespace openapi
}  // namespace ym::api
