#include "control/attempts/losses.h"

#include <algorithm>

#include "model/loss.h"

namespace ym {
namespace {

// The newest save of attempts before this one, without `but`.
const Checkpoint* newest_before(const Job& job, std::int32_t attempt, const Checkpoint* but = nullptr) {
  const auto newest = std::ranges::find_if(job.checkpoints, [&](const Checkpoint& saved) {
    return saved.attempt < attempt && (but == nullptr || saved != *but);
  });
  return newest == job.checkpoints.end() ? nullptr : &*newest;
}

// The save that kept the attempt's work so far. If later attempts have saved something, it is the save from which the
// next attempt resumed: the job itself may not list it any more.
const Checkpoint* counted_on(const Tables& tables, AttemptKey attempt, const Checkpoint* newest) {
  if (newest == nullptr || newest->attempt <= attempt.number) return newest;
  const auto next = tables.attempts.upper_bound(attempt);
  const auto& from = next->second.resumes_from;
  return from ? &*from : nullptr;
}

}  // namespace

std::optional<std::int64_t> lost_by_ending(const Tables& tables, AttemptKey key, bool goes_on, Duration restart,
                                           Instant now) {
  const Attempt& attempt = tables.attempts.at(key);
  if (!goes_on) return attempt.stop_cause == StopCause::preemption ? std::optional<std::int64_t>(0) : std::nullopt;
  const Job& job = tables.jobs.at(key.job);
  return gpu_ms_lost(job, attempt, job.checkpoints.empty() ? nullptr : &job.checkpoints.front(), restart, now);
}

std::vector<FurtherLoss> further_losses(const Tables& tables, AttemptKey newest, const Checkpoint& gone) {
  const Job& job = tables.jobs.at(newest.job);
  const Checkpoint* before = newest_before(job, newest.number);
  const Checkpoint* after = newest_before(job, newest.number, &gone);
  // Attempts after the one that made `gone` lose no more: it kept nothing of them.
  const AttemptKey last{newest.job, std::min(gone.attempt, newest.number - 1)};
  std::vector<FurtherLoss> losses;
  auto it = tables.attempts.lower_bound({newest.job, after ? after->attempt : 1});
  for (; it != tables.attempts.end() && it->first <= last; ++it) {
    const Attempt& ended = it->second;
    if (!ended.lost_gpu_ms || !ended.ended_at) continue;
    const auto lost = [&](const Checkpoint* from) { return gpu_ms_lost(job, ended, from, {}, *ended.ended_at); };
    const auto more = lost(after) - lost(counted_on(tables, it->first, before));
    if (more > 0) losses.push_back({ended.number, more});
  }
  return losses;
}

}  // namespace ym
