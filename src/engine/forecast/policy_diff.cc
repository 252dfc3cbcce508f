#include "engine/forecast/policy_diff.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/forecast/future.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// What is decided at once, and what is forecast.
struct Results {
  std::set<JobId> starting;
  std::map<JobId, PolicyDiff::Stop> stopping;
  Foreseen ahead;
};

void note(Results& results, const Preemption& preemption) {
  for (const auto& preempted : preemption.preempted_jobs)
    results.stopping[preempted.job] = {
        .job = preempted.job, .lost_gpu_ms = preempted.lost_gpu_ms, .makes_room_for = preemption.job, .drained = {}};
}
void note(Results& results, const Eviction& eviction) {
  PolicyDiff::Stop stop{.job = eviction.job, .lost_gpu_ms = eviction.lost_gpu_ms, .makes_room_for = {}};
  (eviction.cause == Eviction::Cause::drain ? stop.drained : stop.shrunk) = eviction.queue;
  results.stopping[eviction.job] = std::move(stop);
}
void note(Results& results, const Admission& admission) { results.starting.insert(admission.job); }
void note(Results&, const Resize&) {}
void note(Results&, const NominationRelease&) {}
void note(Results&, const Deferral&) {}

Results look_at(State state, Policy policy, Instant now, const ForecastBounds& bounds) {
  policy.verdicts = false;
  Results results;
  for (const auto& decision : decide(state, policy, now).decisions)
    std::visit([&](const auto& one) { note(results, one); }, decision);
  results.ahead = Future(std::move(state), policy, now, Pace::usual).run(bounds);
  return results;
}

// The queue as it will be when the delay of its smaller quota is over.
Queue after_delay(const State& state, Instant now, Queue queue) {
  const auto& rows = state.impl().queues;
  const auto before = rows.find(queue.name);
  if (before == rows.end()) return queue;
  const Duration delay = queue.shrink_after.value_or(Duration{});
  return following(before->second, std::move(queue), now - delay);
}

State with(const State& state, Instant now, const std::vector<Queue>& queues) {
  State changed = state;
  for (const auto& queue : queues)
    changed.apply({.seq = changed.version() + 1,
                   .time = now,
                   .actor = {},
                   .reason = {},
                   .payload = QueueSet{after_delay(state, now, queue)}});
  return changed;
}

std::vector<JobId> only_in(const std::set<JobId>& these, const std::set<JobId>& those) {
  std::vector<JobId> jobs;
  std::ranges::set_difference(these, those, std::back_inserter(jobs));
  return jobs;
}

std::vector<PolicyDiff::Stop> only_in(const Results& one, const Results& other) {
  std::vector<PolicyDiff::Stop> stops;
  for (const auto& [job, stop] : one.stopping)
    if (!other.stopping.contains(job)) stops.push_back(stop);
  return stops;
}

// As far as both look.
std::optional<Instant> start_in(const Results& results, JobId job, Instant until) {
  const auto start = results.ahead.start_of(job);
  return start && *start <= until ? start : std::nullopt;
}

// As coarse as times so far away are in a forecast, twice.
Duration grain_at(Instant now, Instant then) { return std::max(minutes(1), Duration{(then - now).ms / 16}); }

void compare_starts(const Results& before, const Results& after, const std::vector<JobId>& waiting, PolicyDiff& diff) {
  for (const JobId job : waiting) {
    if (before.starting.contains(job) || after.starting.contains(job)) continue;
    const auto then = start_in(before, job, diff.until), now = start_in(after, job, diff.until);
    if (!then && !now) continue;
    const PolicyDiff::Move move{.job = job, .before = then, .after = now};
    // A start beyond the end counts as later only if it is so by more than the grain.
    const Instant end = diff.until;
    if ((!now && *then + grain_at(diff.as_of, *then) > end) || (!then && *now + grain_at(diff.as_of, *now) > end))
      continue;
    if (!now || (then && *now > *then + grain_at(diff.as_of, *then))) diff.later.push_back(move);
    else if (!then || *then > *now + grain_at(diff.as_of, *now)) diff.sooner.push_back(move);
  }
}

}  // namespace

PolicyDiff compare(const State& state, const Policy& policy, Instant now, const PolicyChange& change,
                   const ForecastBounds& bounds) {
  const Results before = look_at(state, policy, now, bounds);
  const Results after =
      look_at(with(state, now, change.queues), change.settings ? change.settings(policy) : policy, now, bounds);
  std::vector<JobId> waiting;
  const JobTable& jobs = state.impl().jobs;
  for (const Slot slot : jobs.waiting())
    if (jobs[slot].waiting == Waiting::queued) waiting.push_back(jobs[slot].id);
  std::ranges::sort(waiting);
  PolicyDiff diff{.as_of = now,
                  .until = std::min(before.ahead.until, after.ahead.until),
                  .starts = only_in(after.starting, before.starting),
                  .keeps_waiting = only_in(before.starting, after.starting),
                  .stops = only_in(after, before),
                  .spares = only_in(before, after),
                  .sooner = {},
                  .later = {},
                  .waiting = waiting.size()};
  compare_starts(before, after, waiting, diff);
  return diff;
}

}  // namespace ym::engine
