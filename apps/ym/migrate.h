// `ym migrate`: moves a state from its directory into a PostgreSQL database.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/options/migrate_options.h"

namespace ym {

// Precondition: no server runs on the state. The directory keeps its files and gets a mark, so that no server starts
// on it by mistake. Returns {"from", "to", "rows": {table: count}}.
// Errors: the state has not moved, except that `unavailable` may say that this is not known.
Result<boost::json::object> migrate(const MigrateOptions& options);

}  // namespace ym
