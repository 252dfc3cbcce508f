// Starting a server of one's own, as `ym run` does on a bare machine.
#pragma once

#include "cli/session.h"

namespace ym::cli {

// Makes sure that a server answers: the one that flags or environment name, or the one
// of the default state directory, which is started (detached, leaving when idle for ten
// minutes, its output in server.log) where none runs: at the port of one that has vanished,
// whose jobs know it, if that is free.
// Errors: `unavailable` with the reason, the end of server.log included.
Result<void> ensure_server(Session& session);

}  // namespace ym::cli
