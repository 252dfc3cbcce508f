// The OpenAPI 3.1 document of this API: openapi.json, put into the binary by embed.cmake.
#pragma once

#include <string_view>

namespace ym::api {

std::string_view openapi_document();

}  // namespace ym::api
