// Turns a Commit into statements: one for each table that it changes, or a few for very many rows.
#pragma once

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

// All statements except those for table meta, in the order in which they must run.
std::vector<Statement> statements_of(const Commit& commit);
// The same for what is replaced.
std::vector<Statement> statements_of(const Rewrite& rewrite);

// Stores the specs of these jobs that are not stored yet. A commit has those of the jobs that it submits.
std::vector<Statement> statements_of_specs(const std::vector<Shared<Job>>& jobs);

}  // namespace ym::postgres
