// Where the state of a server is, and what has to come before it may be changed.
#pragma once

#include "running.h"

namespace ym {

// Opens the store, takes the port and makes the executors. Where the state is in a database that another server leads,
// this one stands by until it leads (stand_by.h); a copy is looked at (look_at_copy.h). No store: it was told to stop
// meanwhile.
// `configuration` is read again on SIGHUP while it stands by. Errors: those of the store, the port and the executors.
Result<void> open_state(Running& running, const ServeOptions& options, Configuration& configuration,
                        const sigset_t& signals);

}  // namespace ym
