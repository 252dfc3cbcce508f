// The schema, as a list of steps.
#pragma once

#include <span>
#include <string_view>

#include "store/sqlite/database.h"

namespace ym::sqlite {

// Step n leads from schema n-1 to schema n (PRAGMA user_version), in one transaction. A step that is in the list never
// changes; a new schema is a new step at its end.
struct Migration {
  std::string_view sql;
};

std::span<const Migration> migrations();

// Brings the database to the schema of the last step. An existing database is copied to FILE.schema-N.bak before.
// Errors: `conflict`: a newer version wrote the tables, or documents in them; `corrupt`: the tables are not those of
// the schema that the database claims to have.
Result<void> migrate(Database& database, std::span<const Migration> steps = migrations());

// The number of the database's schema. Errors: `conflict`, as above.
Result<std::size_t> known_version(Database& database, std::span<const Migration> steps = migrations());

}  // namespace ym::sqlite
