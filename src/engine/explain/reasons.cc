#include "engine/explain/reasons.h"

#include <algorithm>
#include <utility>

namespace ym::engine {
namespace {

// Readers see a negative amount as zero.
Amount what_is_there(ResourceKind kind, std::int64_t value) { return amount(kind, std::max<std::int64_t>(0, value)); }

std::string flavor_name(const Inputs& in, const Flavors& flavors) { return in.state.inventory.name_of(flavors); }

// The scarcest kind that the shape asks for.
ResourceKind main_kind(const Shape& shape) {
  const ResourceVector total = shape.total();
  const auto asked = std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return total[kind] > 0; });
  return asked == kKindsByWeight.end() ? ResourceKind::cpus : *asked;
}

}  // namespace

Amount amount(ResourceKind kind, std::int64_t value) {
  return {value, kind == ResourceKind::memory ? Unit::bytes : Unit::thousandths};
}

Reason held() { return {JobIsHeld{}}; }

Reason queue_held(const Inputs& in, QueueIndex queue) {
  return {QueueIsHeld{in.state.queue_names[in.state.stops.held_by(queue)]}};
}

Reason backoff(Instant until) { return {TriedAgainLater{until}}; }

Reason misconfigured(const Inputs& in, QueueIndex queue) {
  return {QueueIsFaulty{.fault = in.state.quota.fault(queue), .queue = in.state.queue_names[queue]}};
}

Reason exceeds_max_quota(const Inputs& in, const Shortage& shortage) {
  return {MoreThanMaxQuota{.queue = in.state.queue_names[shortage.bound.queue],
                           .flavor = flavor_name(in, shortage.flavor),
                           .of = {.kind = shortage.kind},
                           .needed = amount(shortage.kind, shortage.needed),
                           .max = what_is_there(shortage.kind, shortage.bound.amount)}};
}

Reason no_flavor(const Inputs& in, const Shape& shape) {
  const ResourceKind kind = main_kind(shape);
  return {NoFlavor{.queue = in.state.queue_names[shape.queue],
                   .of = {.kind = kind},
                   .needed = amount(kind, shape.total()[kind]),
                   .max = amount(kind, 0)}};
}

Reason waiting_for_quota(const Inputs& in, const QuotaTree& quota, const Shortage& shortage) {
  const FlavorIndex flavor = shortage.flavor;
  const ResourceKind kind = shortage.kind;
  const QueueIndex queue = shortage.bound.queue;
  QuotaInUse in_use{.queue = in.state.queue_names[queue],
                    .flavor = flavor_name(in, flavor),
                    .of = {.kind = kind},
                    .needed = amount(kind, shortage.needed),
                    .available = what_is_there(kind, shortage.bound.amount),
                    .used = amount(kind, quota.usage(queue, flavor, kind)),
                    .nominal = amount(kind, quota.subtree(queue, flavor, kind)),
                    .borrow = {}};
  if (const auto borrow = quota.borrowing_limit(queue, flavor, kind); borrow && quota.parent(queue) != kNone)
    in_use.borrow = amount(kind, *borrow);
  return {std::move(in_use)};
}

RoomMade room_for(const Inputs& in, const Tried& tried, JobId job) {
  if (const auto made = tried.made_room.find(job); made != tried.made_room.end()) return made->second;
  const Nomination& held = *in.state.nominations.find(job);
  const auto still_there = std::ranges::count_if(held.preempted_jobs, [&](JobId preempted) {
    const LiveAttempt* attempt = in.state.live.find(preempted);
    return attempt && attempt->yields_to == job;
  });
  return {.stopping = static_cast<std::size_t>(still_there), .until = held.expires_at};
}

Reason preemption_pending(const RoomMade& room) {
  return {RoomIsMade{.stopping = static_cast<std::int64_t>(room.stopping), .until = room.until}};
}

Reason behind(const Inputs& in, const PendingEntries& pending, const Flavors& flavors, Rank keeper) {
  return {BehindAgedJob{.flavor = flavor_name(in, flavors), .blocker = job_of(in, pending, keeper).id}};
}

Reason behind_head(const Inputs& in, Slot head) {
  const JobRow& job = in.state.jobs[head];
  return {BehindHead{.queue = in.state.queue_names[in.state.shape_of(job).queue], .blocker = job.id}};
}

Reason limit_reached(const Inputs& in, const PendingEntries& pending, Rank rank, const LimitHit& hit) {
  std::string queue = in.state.queue_names[hit.queue];
  std::string user = hit.of_user ? in.state.user_names[job_of(in, pending, rank).user] : "";
  if (!hit.of_gpus)
    return {TooManyJobs{
        .queue = std::move(queue), .user = std::move(user), .needed = hit.needed, .used = hit.used, .max = hit.most}};
  const auto gpus = [](std::int64_t value) { return amount(ResourceKind::gpus, value); };
  return {TooManyGpus{.queue = std::move(queue),
                      .user = std::move(user),
                      .needed = gpus(hit.needed),
                      .used = gpus(hit.used),
                      .max = gpus(hit.most)}};
}

Reason array_limited(const Inputs& in, ArrayIndex array) {
  const RunLimits::Array& limit = in.state.limits.arrays()[array];
  return {TooManyOfArray{.array = to_string(limit.group), .used = limit.use, .max = limit.most}};
}

Reason reserved(const Inputs& in, const Tried& tried, const Flavors& flavors, const Booking& booking) {
  return {ReservedForOther{.flavor = flavor_name(in, flavors),
                           .blocker = booking.holder.id,
                           .from = tried.reservations.calendar().instant_of(booking.from)}};
}

Reason in_advance_reservation(const Inputs& in, FlavorIndex flavor, const AdvanceReservation& reservation) {
  return {NodesClosed{.flavor = flavor_name(in, flavor),
                      .reservation = reservation.name,
                      .from = reservation.from,
                      .until = reservation.until}};
}

Reason budget_exhausted(const Inputs& in, const PendingEntries& pending, Rank rank, const OverBudget& over) {
  const BudgetHit& hit = *over.first;
  const bool is_bounded = job_of(in, pending, rank).time_limit.has_value();
  const auto spent = [&](std::int64_t value) {
    return Amount{value / thousandth_of(hit.budget.unit), Unit::thousandths};
  };
  OverTheBudget reason{.queue = in.state.queue_names[hit.queue],
                       .flavor = over.everywhere ? "" : flavor_name(in, over.flavors),
                       .unit = hit.budget.unit,
                       .per = hit.budget.per,
                       .needed = {},
                       .used = spent(hit.used),
                       .budget = spent(hit.budget.amount),
                       .until = {}};
  if (is_bounded) reason.needed = spent(hit.needed);
  // A cost above the whole budget exceeds it in the next window too.
  if (hit.needed <= hit.budget.amount || !is_bounded) reason.until = instant_of_day(window_end(hit.budget.per, in.now));
  return {std::move(reason)};
}

}  // namespace ym::engine
