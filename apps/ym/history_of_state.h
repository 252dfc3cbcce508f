// The recorded jobs of a state directory, as a workload for a simulation.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options/simulate_options.h"

namespace ym {

// The jobs that were submitted at `since` or later, started and have ended, in the order of submission. Errors: those
// of open_sqlite_history; `invalid`: there are none.
Result<std::vector<RecordedJob>> history_of_state(const std::string& state, Instant since);

}  // namespace ym
