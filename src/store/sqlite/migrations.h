// The schema, as the list of steps that led to it.
#pragma once

#include <span>
#include <string_view>

#include "store/sqlite/database.h"

namespace ym::sqlite {

// Step n leads from schema n-1 to schema n (PRAGMA user_version), in one transaction.
// What is in the list never changes; a new schema is a new step at its end.
struct Migration {
  std::string_view sql;
};

std::span<const Migration> migrations();

// Brings the database to the schema of the last step. Before an existing database is
// changed it is copied to FILE.schema-N.bak.
// Errors: `conflict` if a newer version wrote it: its tables, or documents in them; `corrupt` if its tables are not
// those of the schema that it claims to have.
Result<void> migrate(Database& database, std::span<const Migration> steps = migrations());

// The database's schema. Errors: `conflict`, as above.
Result<std::size_t> known_version(Database& database, std::span<const Migration> steps = migrations());

}  // namespace ym::sqlite
