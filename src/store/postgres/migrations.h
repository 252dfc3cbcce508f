// The schema, as a list of steps.
#pragma once

#include <span>
#include <string_view>

#include "store/postgres/connection.h"

namespace ym::postgres {

// Step n leads from schema n-1 to schema n (table schema_version). A step that is in the list never changes; a new
// schema is a new step at its end.
struct Migration {
  std::string_view sql;
};

std::span<const Migration> migrations();

// 0: there is no schema yet. Errors: `conflict`: a newer version wrote the tables, or documents in them.
Result<std::size_t> known_version(Connection& connection, std::span<const Migration> steps = migrations());

// Brings the database to the schema of the last step, in one transaction. If two servers do it at once, one waits for
// the other. Errors: `conflict`, as above.
Result<void> migrate(Connection& connection, const std::string& schema,
                     std::span<const Migration> steps = migrations());

}  // namespace ym::postgres
