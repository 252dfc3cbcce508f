// Turns a Commit into statements: one for each table that it changes, for any number of rows.
#pragma once

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

// All statements except those for table meta, in the order in which they must run.
std::vector<Statement> statements_of(const Commit& commit);

}  // namespace ym::postgres
