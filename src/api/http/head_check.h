// What can be wrong with a request's head beyond what the parser refuses.
#pragma once

#include <optional>

#include "api/http/message.h"
#include "api/http/options.h"

namespace ym::api {

// The answer to a head that must not be served; nothing if it may. `version` is 10 for
// HTTP/1.0 and 11 for HTTP/1.1.
std::optional<Response> check_head(const Request& request, unsigned version, const HttpLimits& limits);

}  // namespace ym::api
