// Counters: what the server has counted since it started, and current gauges. Plain values; /metrics shows them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "control/histogram.h"
#include "model/states.h"

namespace ym {

// Durations of the engine's cycles.
using CycleTimes = Histogram<std::array{0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0}>;
// From the start of a job's waiting clock (Job::waits_since) to its admission; bounds up to a week.
using AdmissionWaits =
    Histogram<std::array{0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14'400.0, 43'200.0, 86'400.0, 604'800.0}>;

// Why an attempt lost work: a preemption, or the cause of its retry, `infra` or `error`.
using LossCause = std::variant<PreemptionCause, RetryCause>;
inline std::string_view name_of(const LossCause& cause) {
  return std::visit([](const auto& one) { return to_string(one); }, cause);
}

inline std::map<PreemptionCause, std::int64_t> zero_of_each_cause() {
  std::map<PreemptionCause, std::int64_t> zeros;
  for (const auto cause : values_of<PreemptionCause>()) zeros.emplace(cause, 0);
  return zeros;
}
inline std::map<LossCause, std::int64_t> zero_of_each_loss() {
  std::map<LossCause, std::int64_t> zeros{{RetryCause::infra, 0}, {RetryCause::error, 0}};
  for (const auto cause : values_of<PreemptionCause>()) zeros.emplace(cause, 0);
  return zeros;
}

// Old events on their way to segments of the history.
struct ArchiveCounts {
  std::int64_t overdue_ms = 0;  // since the oldest event without a segment was due for one; 0: none is due
  std::int64_t failures = 0;    // looks that did not do all that was due, since start
};

struct Counters {
  std::map<std::pair<JobState, std::string>, std::int64_t> jobs;           // by state and queue
  std::map<std::pair<std::string, std::string>, std::int64_t> unadmitted;  // by queue and reason
  std::map<std::string, std::int64_t> finished;                            // by state, since start
  std::int64_t attempts = 0;                                               // since start
  // Attempts preempted since start, by queue of the preempted job and cause. Each queue has each cause.
  std::map<std::pair<std::string, PreemptionCause>, std::int64_t> preemptions;
  // The loss of these attempts as estimated at the decision, for each cause.
  std::map<PreemptionCause, std::int64_t> estimated_lost_gpu_ms = zero_of_each_cause();
  // Work that jobs must repeat after attempts that ended since start (model/loss.h), for each cause.
  std::map<LossCause, std::int64_t> lost_gpu_ms = zero_of_each_loss();
  std::map<std::string, AdmissionWaits> admission_waits{};  // by queue, since start
  std::map<std::string, std::int64_t> at_risk_gpu_ms{};     // now, by queue, of running jobs (model/risk.h)
  // Jobs with a deadline that succeeded or failed for good since start: by queue, and whether they met the deadline.
  std::map<std::pair<std::string, bool>, std::int64_t> deadlines{};
  // Admissions since start of jobs with a wait promise (model/queue.h, WaitPromise): by queue, and whether they kept
  // it; then the jobs that wait now although their promise has passed, by queue.
  // it.
  std::map<std::pair<std::string, bool>, std::int64_t> wait_promises{};
  std::map<std::string, std::int64_t> overdue_waits{};
  // The longest time that an attempt of the queue is out of contact now, counted at most since the restart.
  std::map<std::string, std::int64_t> unreachable_ms{};
  std::int64_t commits = 0, events = 0, failed_commits = 0;
  std::uint64_t store_bytes = 0;           // on disk
  std::optional<ArchiveCounts> archive{};  // nothing: all history stays in the database
  CycleTimes cycles;
};

}  // namespace ym
