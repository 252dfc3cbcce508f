// `ym serve`: runs the server with the given options.
#pragma once

#include "cli/options/serve_options.h"

namespace ym {

// Runs until SIGTERM or SIGINT, or until it was idle for --idle-exit. Jobs go on without the server. Logs errors on
// standard error. Returns the exit code.
int serve(const ServeOptions& options);

}  // namespace ym
