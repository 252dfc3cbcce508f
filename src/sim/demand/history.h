// History: the events of a site as its forecasts would have seen them: jobs that come and end, hours that begin.
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

// All remaining jobs of a workload, in the order of their submits. Errors: those of the workload.
Result<std::vector<PastJob>> past_jobs(Workload& workload);

// At the same instant, in this order: a question at the beginning of an hour knows the jobs that have ended by then,
// but not the jobs that are submitted then.
enum class EventKind { ended, hour_began, submitted };

struct HistoryEvent {
  Instant at;
  EventKind what = EventKind::submitted;
  std::size_t job = 0;  // index of the job; 0 for an hour
};

// From the beginning of the day of the first submit to the last submit, as if each job started at its submit.
// Precondition: jobs are in the order of their submits.
std::vector<HistoryEvent> history_of(std::span<const PastJob> jobs);

}  // namespace ym::sim
