// A server that looks at a copy of a state: it answers reads, and neither changes nor starts anything.
#pragma once

#include <string>

#include "running.h"
#include "store/postgres/postgres_store.h"

namespace ym {

// Serves the copy in `options.state` until SIGTERM or SIGINT, or for as long as `options.idle_exit` says. `original`:
// of what it is a copy, for people. Nothing is written into the directory but `lock` and `server.json`. Errors: those
// of the directory, the port, and of reading the state.
Result<void> look_at_copy(Running& running, const std::string& original, const ServeOptions& options,
                          const PolicySettings& settings, const sigset_t& signals);

// The same for one in a database; `original`: the place of the other one. Precondition: the port is taken.
Result<void> look_at_copied_database(Running& running, const std::string& original, const PostgresOptions& place,
                                     const ServeOptions& options, const PolicySettings& settings,
                                     const sigset_t& signals);

}  // namespace ym
