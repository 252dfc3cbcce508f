// Opens the state of a server, and prepares what must exist before it changes.
#pragma once

#include "running.h"

namespace ym {

// Opens the store, takes the port and makes the executors. If another server leads the database, this one stands by
// until it leads (stand_by.h). If the state is a copy, this server shows it (look_at_copy.h). No store: the server
// was asked to stop meanwhile. While it stands by, SIGHUP reloads `configuration`. Errors: those of the store, the
// port and the executors.
Result<void> open_state(Running& running, const ServeOptions& options, Configuration& configuration,
                        const sigset_t& signals);

}  // namespace ym
