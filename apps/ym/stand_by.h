// A server that stands by: it answers reads, and leads when nobody else does.
#pragma once

#include "running.h"
#include "store/postgres/postgres_store.h"

namespace ym {

// Answers from now on; returns when this server leads, with the store. Null: SIGTERM or SIGINT came first.
// SIGHUP reads the configuration again. Errors: what makes it useless to go on waiting.
Result<std::unique_ptr<Store>> stand_by(Running& running, const PostgresOptions& place, const ServeOptions& options,
                                        Configuration& configuration, const sigset_t& signals);

}  // namespace ym
