#include "sim/demand/history.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/assert.h"
#include "sim/demand/calendar.h"

namespace ym::sim {

Result<std::vector<PastJob>> past_jobs(Workload& workload) {
  std::vector<PastJob> jobs;
  for (;;) {
    auto next = workload.next();
    if (!next) return std::unexpected(std::move(next.error()));
    if (!*next) return jobs;
    TraceJob& job = **next;
    jobs.push_back({job.submit_at, job.run_time, job.gpus, std::move(job.queue)});
  }
}

std::vector<HistoryEvent> history_of(std::span<const PastJob> jobs) {
  YM_ASSERT(std::ranges::is_sorted(jobs, {}, &PastJob::submit_at));
  std::vector<HistoryEvent> events;
  if (jobs.empty()) return events;
  const Instant last = jobs.back().submit_at;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const Instant submit = jobs[job].submit_at, end = submit + jobs[job].run_time;
    events.push_back({submit, EventKind::submitted, job});
    if (end <= last) events.push_back({end, EventKind::ended, job});
  }
  for (auto hour = day_of(jobs.front().submit_at) * kHoursOfDay; begin_of_hour(hour) <= last; ++hour) {
    events.push_back({begin_of_hour(hour), EventKind::hour_began, 0});
  }
  std::ranges::sort(events, {}, [](const HistoryEvent& event) { return std::tuple(event.at, event.what, event.job); });
  return events;
}

}  // namespace ym::sim
