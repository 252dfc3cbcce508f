// Requests that a gateway, such as a notebook hub, makes on behalf of users.
#pragma once

#include <string_view>

#include "base/result.h"
#include "control/access/access_cache.h"

namespace ym {

// The caller of a request that `gateway` makes on behalf of the user with this handle. What it may do is decided at
// each use (decide). Errors: `forbidden`: the gateway has identities.impersonate nowhere; there is no such user; the
// user is disabled, a service account, or has rights over the rights of the site.
Result<Caller> on_behalf(const Caller& gateway, std::string_view handle, const Tables& tables, AccessCache& cache,
                         Instant now);

}  // namespace ym
