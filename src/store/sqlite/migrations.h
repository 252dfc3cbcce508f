// The schema, as a list of steps.
#pragma once

#include <span>
#include <string_view>

#include "store/sqlite/database.h"

namespace ym::sqlite {

// Step n leads from schema n-1 to schema n (PRAGMA user_version), in one transaction. A step that is in the list never
// changes; a new schema is a new step at its end. A new table of named rows (model/tables.h) needs no step: see
// make_missing_tables.
struct Migration {
  std::string_view sql;
};

std::span<const Migration> migrations();

// Brings the database to the schema of the last step. An existing database is copied to FILE.schema-N.bak before.
// Errors: `conflict`: a newer version wrote the tables, or documents in them; `corrupt`: the tables are not those of
// the schema that the database claims to have.
Result<void> migrate(Database& database, std::span<const Migration> steps = migrations());

// Makes the tables of named rows that the database does not have. Earlier versions did not know them, or a step made
// them. Such a table has no number of its own. A new one raises the version of the documents, because its rows and
// events are new: from this version's first commit on, earlier versions refuse the database. Precondition: migrate.
Result<void> make_missing_tables(Database& database);

// False for a table of named rows if the last server to write was of a version that did not know it.
Result<bool> has_table(Database& database, std::string_view table);

// The number of the database's schema. Errors: `conflict`, as above.
Result<std::size_t> known_version(Database& database, std::span<const Migration> steps = migrations());

}  // namespace ym::sqlite
