#include "engine/cycle/reserve.h"

#include <algorithm>

#include "engine/cycle/quota_from.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

Claims claims_of(const JobRow& job, Index queue) {
  return {.queue = queue, .priority = job.priority, .submitted_at = job.submitted_at, .id = job.id};
}

// From when on it is not spared, if it begins at `begun`.
Instant unspared(const Cycle& cycle, const JobRow& job, Index queue, Instant begun) {
  if (!job.preemptible || !cycle.policy.preempt_phase || rule_of(cycle, queue) == PreemptRule::never) return kNever;
  const std::int32_t most = cycle.policy.preemptions_per_hour;
  if (most <= 0) return kNever;
  const Queue* rules = cycle.rules[queue];
  const Instant ran = after(begun, std::max(job.min_runtime, rules ? rules->min_runtime.priority : Duration{}));
  const auto stopped = cycle.state.history.nth_last_preemption(job.id, most);
  return stopped ? std::max(ran, after(*stopped, hours(1))) : ran;
}

// From the turn of the clock at which it gets its place.
Minute length_of(const Cycle& cycle, const JobRow& job) {
  if (!job.time_limit) return kNoMinute;
  return Calendar::minutes_in(cycle.policy.start_allowance + *job.time_limit + job.grace);
}

// Its own and less urgent ones, which it may stop when its time has come.
Yielding yielding_to(const Cycle& cycle, Rank rank) {
  const Index queue = cycle.shape(rank).queue;
  const PreemptRule rule = rule_of(cycle, queue);
  const Claims holder = claims_of(cycle.job(rank), queue);
  Yielding yielding;
  for (const Index slot : cycle.state.stays.of_queue(queue)) {
    const JobRow& job = cycle.state.jobs[slot];
    const Tenant& tenant = cycle.state.stays.tenant(slot);
    if (tenant.ending.leaving || !may_stop(rule, holder, claims_of(job, queue))) continue;
    const Instant begun = tenant.ending.started_at.value_or(
        after(tenant.ending.admitted_at.value_or(cycle.now), cycle.policy.start_allowance));
    const Instant gone = after(std::max(cycle.now, unspared(cycle, job, queue, begun)), job.grace);
    if (gone == kNever) continue;
    yielding.jobs.push_back({.slot = slot, .gone = gone});
    yielding.nodes.insert(yielding.nodes.end(), tenant.nodes.begin(), tenant.nodes.end());
  }
  std::ranges::sort(yielding.jobs, {}, &Yielding::Job::slot);
  std::ranges::sort(yielding.nodes);
  return yielding;
}

std::optional<Booking> earliest_of_flavors(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  Wish wish{.need = shape.need(), .length = length_of(cycle, cycle.job(rank))};
  std::optional<Yielding> yielding;  // a walk over all of the queue
  std::optional<Booking> best;
  for (const Option& option : cycle.case_of(rank).options) {
    if (!only_waits(cycle, shape, option)) continue;
    const auto quota = quota_from(cycle, rank, option.flavor);
    Ground& ground = cycle.ground(shape, option.flavor);
    if (!quota) continue;
    if (!yielding) wish.yielding = yielding.emplace(yielding_to(cycle, rank));
    const bool alone = wish.yielding.jobs.empty();
    const Endless now{.epoch = cycle.trial.epoch(), .round = cycle.round, .length = wish.length};
    if (alone && ground.endless.covers(now)) continue;
    wish.flavor = option.flavor;
    wish.not_before = *quota;
    auto found = cycle.reservations.earliest(wish, cycle.kept_nodes.keepers(), ground.rooms);
    if (!found && alone) ground.endless = now;
    if (found && (!best || found->from < best->from)) best = std::move(found);
  }
  return best;
}

}  // namespace

PreemptRule rule_of(const Cycle& cycle, Index queue) {
  const Queue* rules = cycle.rules[queue];
  return rules ? rules->preempt : Queue{}.preempt;
}

Tenure tenure_of(const Cycle& cycle, Rank rank, Duration later) {
  const JobRow& job = cycle.job(rank);
  const Index queue = cycle.shape(rank).queue;
  const Instant begun = after(after(cycle.now, later), cycle.policy.start_allowance);
  return {.until = job.time_limit ? after(after(begun, *job.time_limit), job.grace) : kNever,
          .yields_by = after(unspared(cycle, job, queue, begun), job.grace),
          .claims = claims_of(job, queue)};
}

void reserve(Cycle& cycle, Rank rank) {
  if (!cycle.policy.reserve_phase || !cycle.policy.place_phase) return;
  const Index queue = cycle.shape(rank).queue;
  const Queue* rules = cycle.rules[queue];
  if (cycle.reserved[queue] >= (rules ? rules->reservations : Queue{}.reservations)) return;
  auto booking = earliest_of_flavors(cycle, rank);
  if (!booking || booking->from == 0) return;
  const JobRow& job = cycle.job(rank);
  const Shape& shape = cycle.shape(rank);
  cycle.reserved[queue] += 1;
  booking->holder = claims_of(job, queue);
  booking->rule = rule_of(cycle, queue);
  booking->slot = cycle.order[rank].slot;
  if (cycle.policy.quota_phase && asks_for_any(cycle.state.quota, shape, booking->flavor)) {
    booking->root = cycle.state.quota.root(queue);
    cycle.trial.claim({.job = booking->slot, .flavor = booking->flavor, .reserved = true});
  }
  cycle.reservations.add(std::move(*booking));
}

void publish_reservations(Cycle& cycle) {
  const Inventory& inventory = cycle.state.inventory;
  const Calendar& calendar = cycle.reservations.calendar();
  for (const Booking& booking : cycle.reservations.all()) {
    Reservation shown{.job = booking.holder.id,
                      .cluster = inventory.cluster_names[booking.cluster],
                      .flavor = inventory.flavor_names[booking.flavor],
                      .from = calendar.instant_of(booking.from)};
    if (booking.until != kNoMinute) shown.until = calendar.instant_of(booking.until);
    for (const Index node : booking.nodes) shown.nodes.push_back(inventory.node_names[node]);
    cycle.plan.reservations.push_back(std::move(shown));
  }
}

const Booking* who_reserved(const Cycle& cycle, Rank rank, Index flavor) {
  const Shape& shape = cycle.shape(rank);
  const Inventory& inventory = cycle.state.inventory;
  const GangNeed need = shape.need();
  const auto has_room = [&](Index node) {
    return inventory.matches(need.rule, node) && inventory.has_free(node, need.task);
  };
  const Booking* found = nullptr;
  for (const Booking& booking : cycle.reservations.all()) {
    if (cycle.rank_of[booking.slot] >= rank) continue;
    const bool machines = booking.flavor == flavor && std::ranges::any_of(booking.nodes, has_room);
    const bool quota = booking.root != kNone && booking.root == cycle.state.quota.root(shape.queue);
    if (machines || (quota && !found)) found = &booking;
    if (machines) break;
  }
  return found;
}

Rank next_reserved(const Cycle& cycle, Rank rank) {
  Rank next = kNone;
  for (const Booking& booking : cycle.reservations.all())
    if (const Rank holder = cycle.rank_of[booking.slot]; holder >= rank) next = std::min(next, holder);
  return next;
}

}  // namespace ym::engine
