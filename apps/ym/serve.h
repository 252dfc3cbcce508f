// `ym serve`: the server, from its options to its end.
#pragma once

#include "cli/serve_options.h"

namespace ym {

// Runs until SIGTERM or SIGINT (jobs go on without it), or until it is idle for long
// enough. Returns the exit code; what goes wrong is said on standard error.
int serve(const ServeOptions& options);

}  // namespace ym
