// A server that shows a copy of a state: it answers reads, changes nothing and starts nothing.
#pragma once

#include <string>

#include "control/serve/standby_server.h"
#include "running.h"
#include "store/postgres/postgres_store.h"

namespace ym {

// Serves the copy in `options.state` until SIGTERM or SIGINT, or until it was idle for `options.idle_exit`.
// `original`: the origin of the copy, for messages. Writes only `lock` and `server.json` into the directory. Errors:
// those of the directory, of the port, and of reading the state.
Result<void> look_at_copy(Running& running, const std::string& original, const ServeOptions& options,
                          const StandbyServer::Settings& settings, const sigset_t& signals);

// The same for a copied database. `original`: the place of the original database. Precondition: the port is taken.
Result<void> look_at_copied_database(Running& running, const std::string& original, const PostgresOptions& place,
                                     const ServeOptions& options, const StandbyServer::Settings& settings,
                                     const sigset_t& signals);

}  // namespace ym
