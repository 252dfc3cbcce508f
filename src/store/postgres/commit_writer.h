// One Commit as statements: one for each table that it changes, whatever the number of rows.
#pragma once

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

// Everything but the table meta, in the order in which they are to be run.
std::vector<Statement> statements_of(const Commit& commit);

}  // namespace ym::postgres
