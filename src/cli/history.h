// The recorded jobs of a server, as a workload for a simulation.
#pragma once

#include <vector>

#include "cli/api.h"
#include "study/options/simulate_options.h"

namespace ym::cli {

// One job, from the server's JSON. Nothing: its run time is unknown, because it has not started or not ended. Errors:
// `invalid` if this program cannot read its spec (of a newer server).
Result<std::optional<RecordedJob>> recorded_job(const boost::json::value& job);

// The jobs that were submitted at `since` or later and have ended, in the order of submission.
Result<std::vector<RecordedJob>> recorded_jobs(Api& api, Instant since);

}  // namespace ym::cli
