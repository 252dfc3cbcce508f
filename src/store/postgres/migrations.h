// The schema, as a list of steps.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "store/postgres/connection.h"

namespace ym::postgres {

// Step n leads from schema n-1 to schema n (table schema_version). A step that is in the list never changes; a new
// schema is a new step at its end. A new table of named rows (model/tables.h) needs no step.
struct Migration {
  std::string_view sql;
};

std::span<const Migration> migrations();

// 0: there is no schema yet. Errors: `conflict`: a newer version wrote the tables, or documents in them.
Result<std::size_t> known_version(Connection& connection, std::span<const Migration> steps = migrations());

// Brings the database to the schema of the last step, and makes the tables of named rows that it does not have, in one
// transaction. Such a table has no number of its own. A new one raises the version of the documents, because its rows
// and events are new: from this version's first commit on, earlier versions refuse the database. If two servers do it
// at once, one waits for the other. Errors: `conflict`, as above.
Result<void> migrate(Connection& connection, const std::string& schema,
                     std::span<const Migration> steps = migrations());

// The tables of named rows that the database does not have, because no server of a version that knows them has led.
Result<std::set<std::string>> missing_tables(Connection& connection);

}  // namespace ym::postgres
