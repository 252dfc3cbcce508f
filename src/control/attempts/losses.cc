#include "control/attempts/losses.h"

#include <algorithm>

#include "model/loss.h"

namespace ym {
namespace {

// The newest save that attempts before this one have left, but that one.
const Checkpoint* newest_before(const Job& job, std::int32_t attempt, const Checkpoint* but = nullptr) {
  const auto newest = std::ranges::find_if(job.checkpoints, [&](const Checkpoint& saved) {
    return saved.attempt < attempt && (but == nullptr || saved != *but);
  });
  return newest == job.checkpoints.end() ? nullptr : &*newest;
}

// What was counted on so far to keep the attempt's work. Once later ones had saved something, that is what the next one
// went on from: the job itself need not remember it any more.
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
  // Of those after the one that had saved it, nothing was kept before either.
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
