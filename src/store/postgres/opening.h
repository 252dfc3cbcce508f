// How a server begins to lead.
#pragma once

#include "store/postgres/leading_session.h"
#include "store/postgres/postgres_store.h"

namespace ym::postgres {

ConnectionOptions connection_of(const PostgresOptions& options, Access access);

// Begins to lead a state with the newest schema. Errors: those of open_postgres_store.
Result<LeadingSession> open_to_lead(const PostgresOptions& options);

}  // namespace ym::postgres
