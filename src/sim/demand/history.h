// History: what happened on a site, as its forecasts would have seen it: jobs that come and end, hours that begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "sim/workload/workload.h"

namespace ym::sim {

struct PastJob {
  Instant submit_at;
  Duration run_time;
  std::int64_t gpus = 1;
  std::string queue;
};

// All that are left of a workload, in the order of their submission. Errors are the workload's.
Result<std::vector<PastJob>> past_jobs(Workload& workload);

// At the same instant, in this order: what is asked as an hour begins knows of the jobs that ended by then, and not of
// those that come then.
enum class Happening { ended, hour_began, submitted };

struct HistoryEvent {
  Instant at;
  Happening what = Happening::submitted;
  std::size_t job = 0;  // its place among the jobs; 0 for an hour
};

// From the beginning of the day of the first submission to the last submission, as though each job started when it
// came. Precondition: in the order of submission.
std::vector<HistoryEvent> history_of(std::span<const PastJob> jobs);

}  // namespace ym::sim
