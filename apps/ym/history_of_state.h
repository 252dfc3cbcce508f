// Jobs that a state directory has recorded, as a workload to simulate.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/simulate_options.h"

namespace ym {

// Those that were submitted since then, began and have ended, in the order of submission. Errors: those of
// open_sqlite_history; `invalid`: there is none.
Result<std::vector<RecordedJob>> history_of_state(const std::string& state, Instant since);

}  // namespace ym
