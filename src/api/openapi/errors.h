// The errors of an operation: of its route, and its own.
#pragma once

#include <map>
#include <string_view>

#include "api/openapi/operations.h"
#include "api/routes/route.h"

namespace ym::api::openapi {

// Status -> meaning.
std::map<int, std::string_view> errors_of(const Route& route, const Operation& operation);

}  // namespace ym::api::openapi
