#include "engine/preemption/roster.h"

#include <algorithm>
#include <tuple>

namespace ym::engine {
namespace {

// A sum that stops at the end of time.
Instant after(Instant start, Duration time) {
  Instant end;
  return __builtin_add_overflow(start.ms, time.ms, &end.ms) ? Running::kNever : end;
}

// Nothing: it has not started.
Instant has_run_for(std::optional<Instant> started_at, Duration time) {
  if (time.ms <= 0) return {};
  return started_at ? after(*started_at, time) : Running::kNever;
}

// Until when it has been stopped too often within an hour.
Instant rests_until(const State::Impl& state, JobId job, std::int32_t most) {
  if (most <= 0) return Running::kNever;
  const auto first = state.history.nth_last_preemption(job, most);
  return first ? after(*first, hours(1)) : Instant{};
}

Running running(const Cycle& cycle, const JobRow& row, const Footprint& place, std::optional<Instant> started_at) {
  const Instant rests = rests_until(cycle.state, row.id, cycle.policy.preemptions_per_hour);
  const Duration for_reclaim = std::min(row.min_runtime, cycle.policy.reclaim_min_runtime_cap);
  Running running;
  running.job = row.id;
  running.row = &row;
  running.place = &place;
  running.spared = std::max(rests, has_run_for(started_at, row.min_runtime));
  running.spared_from_reclaim = std::max(rests, has_run_for(started_at, for_reclaim));
  return running;
}

}  // namespace

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

std::int64_t Losses::gpu_ms(JobId job, const LiveAttempt& live) const {
  std::int64_t unsaved = 0;
  if (live.started_at) {
    const Instant saved = state_.history.durable_at(job, live.number).value_or(median_);
    unsaved = std::max<std::int64_t>(0, (now_ - std::max(*live.started_at, saved)).ms);
  }
  const __int128 lost = static_cast<__int128>(live.total()[ResourceKind::gpus]) * (unsaved + restart_cost_.ms) / kMilli;
  return static_cast<std::int64_t>(std::min<__int128>(lost, std::numeric_limits<std::int64_t>::max()));
}

std::vector<Running> roster_of(const Cycle& cycle) {
  const Losses losses(cycle.state, cycle.policy.restart_cost, cycle.now);
  std::vector<Running> roster;
  for (const auto& [job, live] : cycle.state.live) {
    const JobRow& row = *cycle.state.jobs.find(job);
    if (!can_be_stopped(row, live)) continue;
    roster.push_back(running(cycle, row, live, live.started_at));
    roster.back().attempt = live.number;
    roster.back().admitted_at = live.admitted_at;
    roster.back().lost_gpu_ms = losses.gpu_ms(job, live);
  }
  for (const auto& [rank, place] : cycle.fresh) {
    if (!cycle.job(rank).preemptible) continue;
    roster.push_back(running(cycle, cycle.job(rank), place, std::nullopt));
    roster.back().rank = rank;
    roster.back().fresh = true;
    // Who comes later in the order is taken back first.
    roster.back().admitted_at = after(cycle.now, Duration{std::int64_t{rank} + 1});
  }
  // As victims are taken where nothing else tells them apart.
  std::ranges::sort(roster, {}, [](const Running& one) {
    return std::tuple(!one.fresh, one.row->priority, one.lost_gpu_ms, -one.admitted_at.ms, one.job);
  });
  return roster;
}

}  // namespace ym::engine
