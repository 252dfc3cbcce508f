// The rows of the present state without a person.
#pragma once

#include "archive/erasure/redaction.h"
#include "store/store.h"

namespace ym {

// Adds each job that changes, with its attempts, to `commit`; specs that change to `rewrite`. Errors: those of the
// reader; `corrupt`.
Result<void> erase_in_jobs(StoreReader& reader, Redaction& redaction, Rewrite& rewrite, Commit& commit);

// Tells `redaction` the person's bindings that are there. Errors: `corrupt`.
Result<void> learn_bindings(const Tables& tables, Redaction& redaction);

// Of the tables with named rows: changes `tables`, and adds what changed to `commit`. Errors: `corrupt`.
Result<void> erase_in_tables(Tables& tables, Redaction& redaction, Commit& commit);

}  // namespace ym
