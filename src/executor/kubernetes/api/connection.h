// A connection to an API server with credentials that change.
#pragma once

#include <memory>

#include "base/result.h"
#include "base/time.h"
#include "executor/kubernetes/api/kubeconfig.h"
#include "net/http_client.h"

namespace ym::kubernetes {

// A client that sends the credentials of `access` with each request, renews them after each 401, and reconnects when
// its client certificate changes. Errors: `invalid`: the address or the certificates. `clock` must outlive it.
Result<std::unique_ptr<net::HttpClient>> connect(const Access& access, const Clock& clock,
                                                 std::size_t kept_connections);

}  // namespace ym::kubernetes
