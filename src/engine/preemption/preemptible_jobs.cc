#include "engine/preemption/preemptible_jobs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/preemption/smaller.h"
#include "engine/state/deadlines.h"

namespace ym::engine {
namespace {

// Nothing: it has not started.
Instant has_run_for(std::optional<Instant> started_at, Duration time) {
  if (time.ms <= 0) return {};
  return started_at ? after(*started_at, time) : Running::kNever;
}

Running running(const Inputs& in, const JobRow& row, const Footprint& place, std::optional<Instant> started_at) {
  const Instant rests = preemption_limit_until(in.state, row.id, in.policy.preemptions_per_hour);
  const Queue* rules = in.rules[place.queue];
  const MinRuntime queues = rules ? rules->min_runtime : MinRuntime{};
  Running running;
  running.job = row.id;
  running.slot = in.state.jobs.slot(row.id);
  running.row = &row;
  running.place = &place;
  running.priority = row.priority;
  running.stopped_at = row.stopped_at;
  running.exempt = running.exempt_from_reclaim = rests;
  running.spared = std::max(rests, has_run_for(started_at, std::max(row.min_runtime, queues.priority)));
  running.spared_from_reclaim = std::max(rests, spared_from_reclaim_until(in, row, place.queue, started_at));
  return running;
}

Running fresh_one(const Inputs& in, const PendingEntries& pending, Rank rank, const Footprint& place) {
  Running one = running(in, job_of(in, pending, rank), place, std::nullopt);
  one.rank = rank;
  one.tentative = true;
  // The admission that comes last in the dequeue order is revoked first.
  one.admitted_at = after(in.now, Duration{std::int64_t{rank.value} + 1});
  return one;
}

std::int64_t bounded(__int128 amount) {
  return static_cast<std::int64_t>(std::min<__int128>(amount, std::numeric_limits<std::int64_t>::max()));
}

auto alike_key(const Running& one, QueueIndex root) {
  Kinds kinds;
  const auto flavors = one.place->flavors.each();
  for (std::size_t place = 0; place < flavors.size(); ++place) {
    const ResourceVector held = one.place->in(flavors[place]);
    for (const ResourceKind kind : kKindsByWeight)
      if (held[kind] > 0) kinds.add(kind, place);
  }
  return std::tuple(root, one.place->queue, one.place->flavors, kinds);
}

std::vector<AlikeJobs> alike_jobs_of(const State::Impl& state, IndexedVector<PreemptibleIndex, Running>& all) {
  std::map<std::tuple<QueueIndex, QueueIndex, Flavors, Kinds>, AlikeJobs> alike_jobs;
  for (Running& one : all) {
    const auto key = alike_key(one, state.quota.root(one.place->queue));
    AlikeJobs& alike = alike_jobs[key];
    std::tie(alike.root, alike.queue, alike.flavors, alike.kinds) = key;
    alike.members.push_back(&one);
    for (const LiveTask& task : one.place->tasks) {
      const FlavorIndex flavor = state.inventory.flavor_of[task.node];
      if (std::ranges::find(alike.node_flavors, flavor) == alike.node_flavors.end())
        alike.node_flavors.push_back(flavor);
    }
  }
  std::vector<AlikeJobs> list;
  for (auto& [key, alike] : alike_jobs) list.push_back(std::move(alike));
  return list;
}

}  // namespace

Running running_of(const Inputs& in, const Losses& losses, JobId job) {
  const LiveAttempt& live = *in.state.live.find(job);
  Running one = running(in, *in.state.jobs.find(job), live, live.started_at);
  one.attempt = live.number;
  one.admitted_at = live.admitted_at;
  // A deadline does not protect from reclaim: a job that reclaims lent quota has the stronger right.
  if (in.state.orders.by_deadline(live.queue)) {
    const auto saved = in.state.history.durable_at(job, live.number);
    one.exempt = std::max(one.exempt, keeps_deadline_until(*one.row, live, saved, in.now));
    one.spared = std::max(one.spared, one.exempt);
  }
  one.loss = losses.of(job, live);
  one.shrinks = may_shrink(in, one);
  return one;
}

Instant preemption_limit_until(const State::Impl& state, JobId job, std::int32_t most) {
  if (most <= 0) return Running::kNever;
  const auto first = state.history.nth_last_preemption(job, most);
  return first ? after(*first, hours(1)) : Instant{};
}

Instant spared_from_reclaim_until(const Inputs& in, const JobRow& job, QueueIndex queue,
                                  std::optional<Instant> started_at) {
  const Queue* rules = in.rules[queue];
  const Duration own = std::min(job.min_runtime, in.policy.reclaim_min_runtime_cap);
  return has_run_for(started_at, std::max(own, rules ? rules->min_runtime.reclaim : Duration{}));
}

Losses::Losses(const State::Impl& state, Duration restart_cost, Instant now)
    : state_(state), restart_cost_(restart_cost), now_(now) {
  std::vector<Instant> reported;
  for (const auto& [job, attempt] : state.live)
    if (const auto durable = state.history.durable_at(job, attempt.number)) reported.push_back(*durable);
  if (reported.empty()) return;
  const auto middle = reported.begin() + static_cast<std::ptrdiff_t>((reported.size() - 1) / 2);
  std::ranges::nth_element(reported, middle);
  median_ = *middle;
}

Loss Losses::of(JobId job, const LiveAttempt& live) const {
  std::int64_t unsaved = 0;
  if (live.started_at) {
    const Instant saved = state_.history.durable_at(job, live.number).value_or(median_);
    unsaved = std::max<std::int64_t>(0, (now_ - std::max(*live.started_at, saved)).ms);
  }
  return with_unsaved(live, unsaved);
}

Loss Losses::with_unsaved(const Footprint& place, std::int64_t ms) const {
  const auto lost = [&, total = place.total()](ResourceKind kind) {
    return bounded(static_cast<__int128>(total[kind]) * (ms + restart_cost_.ms) / kMilli);
  };
  return {.gpu_ms = lost(ResourceKind::gpus), .cpu_ms = lost(ResourceKind::cpus)};
}

PreemptibleJobs::PreemptibleJobs(const Inputs& in, const PendingEntries& pending, const Tried& tried, Include include) {
  if (include != Include::tentative) {
    const Losses losses(in.state, in.policy.restart_cost, in.now);
    for (const auto& [job, live] : in.state.live)
      if (can_be_stopped(*in.state.jobs.find(job), live)) all.push_back(running_of(in, losses, job));
  }
  for (const auto& [slot, tentative] : tried.tentative)
    if (include != Include::running && in.state.jobs[slot].preemptible)
      all.push_back(fresh_one(in, pending, pending.rank_of(slot), tentative.place));
  std::ranges::sort(all, {}, [](const Running& one) {
    return std::tuple(!one.tentative, one.priority, one.loss.gpu_ms, one.loss.cpu_ms, -one.admitted_at.ms, one.job);
  });
  for (const PreemptibleIndex number : all.indices()) all[number].number = number;
  for (const Running& one : all)
    if (one.stopped_at != kNotStopped) stops.push_back(one.stopped_at);
  std::ranges::sort(stops);
  alike_jobs = engine::alike_jobs_of(in.state, all);
}

std::size_t PreemptibleJobs::stops_before(Instant arrived_at) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(stops, arrived_at) - stops.begin());
}

std::span<const AlikeJobs> PreemptibleJobs::alike_jobs_of(QueueIndex root) const {
  const auto found = std::ranges::equal_range(alike_jobs, root, {}, &AlikeJobs::root);
  return {found.begin(), found.end()};
}

}  // namespace ym::engine
