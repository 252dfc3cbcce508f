// The recorded jobs of a store, as a workload for a simulation.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"
#include "study/options/recorded_job.h"

namespace ym::study {

// The jobs that were submitted at `since` or later, started and have ended, in the order of submission. `state`: the
// store's name in errors. Errors: those of the reader; `invalid`: there are none.
Result<std::vector<RecordedJob>> history_of(StoreReader& reader, const std::string& state, Instant since);

}  // namespace ym::study
