// `ym migrate`: moves a state from its directory into a PostgreSQL database.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/migrate_options.h"

namespace ym {

// Precondition: no server runs on it. The directory keeps its state as it is, marked as moved, so that no
// server starts on it by mistake. Answers {"from", "to", "rows": {table: count}}.
// Errors: nothing has moved, save that `unavailable` may say that this is unknown.
Result<boost::json::object> migrate(const MigrateOptions& options);

}  // namespace ym
