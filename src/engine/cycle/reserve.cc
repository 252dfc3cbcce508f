#include "engine/cycle/reserve.h"

#include <algorithm>

#include "engine/cycle/order/age.h"
#include "engine/cycle/quota_from.h"
#include "engine/cycle/stop/yielding.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Counted from the minute in which the job gets its place.
Minute length_of(const Inputs& in, const JobRow& job) {
  if (!job.time_limit) return kNoMinute;
  return Calendar::minutes_in(in.policy.start_allowance + *job.time_limit + job.grace);
}

// When there is room for a part, or for a gang of one part.
FreeTimes& free_times_of(const Inputs& in, const Shape& part, FlavorIndex flavor) {
  return in.state.free_times.of(in.state.inventory, part.need(), part.need_index, flavor,
                                hardware_of(in, part, flavor));
}

std::optional<Booking> earliest_of_parts(const Inputs& in, const Tried& tried, const Shape& shape, const Wish& wish) {
  Reservations::FreeTimesOfParts free_times;
  for (const PartIndex part : indices<PartIndex>(shape.parts(wish.flavors)))
    free_times.push_back(&free_times_of(in, shape.part(wish.flavors, part), wish.flavors.of(part)));
  return tried.reservations.earliest_of_parts(wish, tried.kept_nodes.keepers(), free_times);
}

std::optional<Booking> earliest_in(const Inputs& in, const Tried& tried, Findings& known, const Shape& shape,
                                   const Wish& wish) {
  if (wish.flavors.is_mix()) return earliest_of_parts(in, tried, shape, wish);
  ShapeFlavorCache& shape_flavor = known.shape_flavors[shape.need_index, wish.flavors.only()];
  const bool alone = wish.yielding.jobs.empty();
  const Endless now{.epoch = tried.trial.epoch(),
                    .round = tried.round,
                    .length = wish.length,
                    .not_before = wish.not_before,
                    .pass = wish.pass};
  if (alone && shape_flavor.endless.covers(now)) return std::nullopt;
  FreeTimes& free_times = free_times_of(in, shape, wish.flavors.only());
  auto found = tried.reservations.earliest(wish, tried.kept_nodes.keepers(), free_times);
  if (!found && alone) shape_flavor.endless = now;
  return found;
}

// If the job would have room now once the jobs that it may stop were gone: whether they are stopped is decided in
// preempt.cc, and they are still there. So the reservation is for what becomes free without stopping them.
std::optional<Booking> earliest_with_yielding(const Inputs& in, const Tried& tried, Findings& known, const JobRow& job,
                                              Wish& wish) {
  const Shape& shape = in.state.shape_of(job);
  wish.yielding = yielding_to(in, tried, known, claims_of(job, shape.queue));
  auto found = earliest_in(in, tried, known, shape, wish);
  if (wish.yielding.jobs.empty() || (found && found->from > 0)) return found;
  wish.yielding = {};
  return earliest_in(in, tried, known, shape, wish);
}

// Without quota only the first job of the queue that lacks it may have a reservation.
bool lacks_quota(const PendingEntries& pending, const Tried& tried, const Findings& known, Rank rank) {
  const Slot first = tried.first_short[pending.entry(rank).queue];
  return first != kNone && first != pending.entry(rank).slot &&
         known.shape_caches[pending.entry(rank).shape].short_quota ==
             ShortQuota{.epoch = tried.trial.epoch(), .round = tried.round};
}

// How many jobs of the queue may hold a reservation.
std::int32_t most_reserved(const Inputs& in, QueueIndex queue) {
  const Queue* rules = in.rules[queue];
  return rules ? rules->reservations : Queue{}.reservations;
}

// Machines, and the quota for them.
struct BookingWithQuota {
  Booking booking;
  std::vector<Inherited> inherits;
};

std::optional<BookingWithQuota> earliest_of_flavors(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  bool all_short = true;
  Wish wish{.need = shape.need(),
            .length = length_of(cycle.in, cycle.job(rank)),
            .pass = pass_of(cycle.in, cycle.pending, cycle.tried, rank)};
  if (!cycle.tried.kept_nodes.any()) wish.slot = cycle.entry(rank).slot;
  std::optional<BookingWithQuota> best;
  for (const Option& option : cycle.shape_cache(rank).options) {
    if (!only_waits(cycle.in, shape, option)) continue;
    const bool over_budget = budget_hit(cycle.in, cycle.pending, rank, option.flavors).has_value();
    auto quota =
        over_budget ? std::nullopt : quota_from(cycle.in, cycle.tried, cycle.known, cycle.entry(rank), option.flavors);
    all_short = all_short && !over_budget && !(quota && quota->from == 0);
    if (!quota) continue;
    wish.flavors = option.flavors;
    wish.not_before = quota->from;
    auto found = earliest_with_yielding(cycle.in, cycle.tried, cycle.known, cycle.job(rank), wish);
    if (found && (!best || found->from < best->booking.from))
      best = BookingWithQuota{.booking = std::move(*found), .inherits = std::move(quota->inherits)};
  }
  if (all_short) cycle.shape_cache(rank).short_quota = {.epoch = cycle.tried.trial.epoch(), .round = cycle.tried.round};
  return best;
}

// The longest grace of the jobs that the holder stops there when its reservation begins.
Duration grace_of_stops(const Inputs& in, const Tried& tried, Findings& known, const Booking& booking) {
  Duration longest;
  for (const auto& [slot, gone] : yielding_to(in, tried, known, booking.holder).jobs) {
    const auto& nodes = in.state.allocations.allocation(slot).nodes;
    if (std::ranges::any_of(
            nodes, [&](NodeIndex node) { return std::ranges::find(booking.nodes, node) != booking.nodes.end(); }))
      longest = std::max(longest, in.state.jobs[slot].grace);
  }
  return longest;
}

// The time from which the reservation is useful. A job that would otherwise block backfill on all that it could use
// gets no reservation that more than doubles its wait: it keeps blocking, and may start sooner.
Instant of_use_from(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank,
                    const Booking& booking) {
  if (!keeps_all(in, pending, tried, rank, booking.flavors)) return in.now;
  const Instant since = job_of(in, pending, rank).waits_since;
  const Instant begins = tried.reservations.calendar().instant_of(booking.from) + booking.stops;
  return since + Duration{((begins - since).ms + 1) / 2};
}

void claim_quota(Tried& tried, const Booking& booking, std::vector<Inherited> inherits) {
  const QueueIndex queue = booking.holder.queue;
  const bool of_others = std::ranges::any_of(inherits, [&](const Inherited& part) { return part.queue != queue; });
  tried.trial.claim(
      {.job = booking.slot, .flavors = booking.flavors, .reserved = true, .inherits = std::move(inherits)});
  // Those queues now have more quota left.
  if (of_others) ++tried.round;
}

}  // namespace

Pass pass_of(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank) {
  return tried.reservations.windows().pass_of(pending.entry(rank).queue, job_of(in, pending, rank).user);
}

PreemptRule rule_of(const Inputs& in, QueueIndex queue) {
  const Queue* rules = in.rules[queue];
  return rules ? rules->preempt : Queue{}.preempt;
}

Walltime walltime_of(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank, Duration later) {
  const JobRow& job = job_of(in, pending, rank);
  const QueueIndex queue = pending.entry(rank).queue;
  Walltime walltime = walltime_again(in, tried, job, queue, later);
  walltime.yields_by = yields_by(in, job, queue, after(after(in.now, later), in.policy.start_allowance));
  return walltime;
}

Walltime walltime_again(const Inputs& in, const Tried& tried, const JobRow& job, QueueIndex queue, Duration stop) {
  const Instant begun = after(after(in.now, stop), in.policy.start_allowance);
  return {.until = job.time_limit ? after(after(begun, *job.time_limit), job.grace) : kNever,
          .claims = claims_of(job, queue),
          .pass = tried.reservations.windows().pass_of(queue, job.user),
          .limit = job.time_limit};
}

bool may_reserve(const Inputs& in, const Tried& tried, const Findings& known, ShapeIndex index) {
  const Shape& shape = in.state.shapes[index];
  if (!in.policy.reserve_phase || !in.policy.place_phase) return false;
  if (tried.reserved[shape.queue] >= most_reserved(in, shape.queue)) return false;
  if (tried.first_short[shape.queue] == kNone) return true;
  return std::ranges::any_of(known.shape_caches[index].options, [&](const Option& option) {
    return only_waits(in, shape, option) && !tried.quota_stops(in, shape, option.flavors, Walltime{}, When::later);
  });
}

void reserve(Cycle& cycle, Rank rank) {
  if (!cycle.in.policy.reserve_phase || !cycle.in.policy.place_phase) return;
  const QueueIndex queue = cycle.queue_of(rank);
  if (cycle.tried.reserved[queue] >= most_reserved(cycle.in, queue)) return;
  if (lacks_quota(cycle.pending, cycle.tried, cycle.known, rank)) return;
  auto found = earliest_of_flavors(cycle, rank);
  if (!found || found->booking.from == 0) return;
  const JobRow& job = cycle.job(rank);
  Booking& booking = found->booking;
  booking.holder = claims_of(job, queue);
  booking.stops = grace_of_stops(cycle.in, cycle.tried, cycle.known, booking);
  if (const Instant then = of_use_from(cycle.in, cycle.pending, cycle.tried, rank, booking); then > cycle.in.now)
    return cycle.out.wake_at(then);
  const Shape& shape = cycle.shape(rank);
  cycle.tried.reserved[queue] += 1;
  booking.rule = rule_of(cycle.in, queue);
  booking.slot = cycle.entry(rank).slot;
  if (cycle.in.policy.quota_phase && asks_for_any(cycle.in.state.quota, shape, booking.flavors)) {
    booking.root = cycle.in.state.quota.root(queue);
    claim_quota(cycle.tried, booking, std::move(found->inherits));
  }
  cycle.tried.reservations.add(std::move(booking));
}

namespace {

// A reservation can end by time alone: when a job that it counts on becomes overdue.
void wake_when_doubted(const Inputs& in, const Tried& tried, Output& out) {
  for (const QueueIndex queue : indices<QueueIndex>(in.state.queue_names.size()))
    for (const Slot slot : in.state.allocations.of_queue(queue))
      if (const auto overdue = tried.reservations.calendar().overdue_from(in.state.allocations.allocation(slot).ending))
        out.wake_at(*overdue);
}

}  // namespace

void publish_reservations(const Inputs& in, const Tried& tried, Output& out) {
  const Inventory& inventory = in.state.inventory;
  const Calendar& calendar = tried.reservations.calendar();
  for (const auto* window : tried.reservations.windows().all()) out.wake_at(window->until);
  if (!tried.reservations.all().empty()) wake_when_doubted(in, tried, out);
  for (const Booking& booking : tried.reservations.all()) {
    Reservation shown{.job = booking.holder.id,
                      .cluster = inventory.cluster_names[booking.cluster],
                      .flavor = inventory.name_of(booking.flavors),
                      .from = calendar.instant_of(booking.from) + booking.stops};
    if (booking.until != kNoMinute) shown.until = calendar.instant_of(booking.until);
    for (const NodeIndex node : booking.nodes) shown.nodes.push_back(inventory.node_names[node]);
    out.plan.reservations.push_back(std::move(shown));
  }
}

}  // namespace ym::engine
