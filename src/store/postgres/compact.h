// Writes tables anew, so that their files have no old rows.
#pragma once

#include "store/postgres/connection.h"

namespace ym::postgres {

// As Store::compact. PostgreSQL keeps a deleted row as long as any transaction in the database, a replication slot or a
// prepared transaction may still read it, also while it writes a table anew. Errors: `unavailable`: old rows had to be
// kept, which the message says, or PostgreSQL refuses.
Result<void> compact(Connection& connection);

}  // namespace ym::postgres
