// What a server has recorded of its jobs, as a workload that can be simulated.
#pragma once

#include <vector>

#include "cli/api.h"
#include "cli/simulate_options.h"

namespace ym::cli {

// Of one job as the API shows it. Nothing, if it is not known how long it runs: it never began, or has not ended.
// Errors: `invalid` if its spec is none that this program knows (a newer server's).
Result<std::optional<RecordedJob>> recorded_job(const boost::json::value& job);

// Those that were submitted at `since` or later and have ended, in the order of submission.
Result<std::vector<RecordedJob>> recorded_jobs(Api& api, Instant since);

}  // namespace ym::cli
