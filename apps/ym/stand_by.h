// A server that stands by: it answers reads, and leads when no other server does.
#pragma once

#include "control/serve/standby_server.h"
#include "running.h"
#include "store/postgres/postgres_store.h"

namespace ym {

// What a server that changes nothing takes from the configuration.
StandbyServer::Settings standby_settings(const Configuration& configuration);

// Answers from now on. Returns the store when this server leads. Null: SIGTERM or SIGINT came first. SIGHUP reloads
// the configuration. Errors: those after which waiting is useless.
Result<std::unique_ptr<Store>> stand_by(Running& running, const PostgresOptions& place, const ServeOptions& options,
                                        Configuration& configuration, const sigset_t& signals);

}  // namespace ym
