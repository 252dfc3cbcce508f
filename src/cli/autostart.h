// Starts a server for `ym run` on a machine that has none.
#pragma once

#include "cli/session.h"

namespace ym::cli {

// Makes sure that a server answers. If flags or environment name a server, it must be that one. Otherwise it is the
// server of the default state directory; if none runs there, this function starts one: detached, with its output in
// server.log, and it ends after 10 minutes without work. Running jobs know the port of the last server, so the new
// server takes that port if it is free.
// Errors: `unavailable` with the reason and the end of server.log.
Result<void> ensure_server(Session& session);

}  // namespace ym::cli
