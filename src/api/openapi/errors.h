// Which errors an operation answers: those that follow from its route, and its own.
#pragma once

#include <map>
#include <string_view>

#include "api/openapi/operations.h"
#include "api/routes/route.h"

namespace ym::api::openapi {

// By status, with what they mean.
std::map<int, std::string_view> errors_of(const Route& route, const Operation& operation);

}  // namespace ym::api::openapi
