// Checks of a request's head that the parser does not make.
#pragma once

#include <optional>

#include "api/http/message.h"
#include "api/http/options.h"

namespace ym::api {

// The refusal of a head that must not be served; nothing if it may be. `version`: 10 for HTTP/1.0, 11 for HTTP/1.1.
std::optional<Response> check_head(const Request& request, unsigned version, const HttpLimits& limits);

}  // namespace ym::api
