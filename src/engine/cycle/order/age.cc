#include "engine/cycle/order/age.h"

#include <algorithm>
#include <tuple>

#include "engine/cycle/new_nodes/provision.h"

namespace ym::engine {
namespace {

// A job is neglected after this many age caps, and after this many times the wait that makes it old.
constexpr std::int64_t kCaps = 42, kTimesOld = 4;

Duration times(Duration time, std::int64_t factor) {
  Duration product;
  return __builtin_mul_overflow(time.ms, factor, &product.ms) ? Duration{kNever.ms} : product;
}

}  // namespace

Duration age_cap_of(const Inputs& in, QueueIndex queue) {
  return in.state.quota.age_cap(queue).value_or(in.policy.age_cap);
}

Instant neglected_at(const Inputs& in, const PendingEntry& entry) {
  const Instant since = in.state.jobs[entry.slot].waits_since;
  return after(since, std::max(times(age_cap_of(in, entry.queue), kCaps), times(entry.aged_at - since, kTimesOld)));
}

bool keeps_all(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank, const Flavors& flavors) {
  const PendingEntry& entry = pending.entry(rank);
  if (!is_old(in, entry)) return false;
  if (is_neglected(in, entry)) return true;
  return std::ranges::none_of(tried.reservations.all(), [&](const Booking& booking) {
    if (booking.slot == entry.slot) return true;
    const bool is_elder =
        std::tuple(booking.holder.submitted_at, booking.holder.id) < std::tuple(entry.submitted_at, entry.id);
    return booking.holder.queue == entry.queue && is_elder && overlap(booking.flavors, flavors) &&
           pending.rank_of(booking.slot) < rank;
  });
}

bool keeps_all(Cycle& cycle, Rank rank, const Option& option) {
  const bool keeps = keeps_all(cycle.in, cycle.pending, cycle.tried, rank, option.flavors);
  return keeps && has_prospect(cycle.in, cycle.out, cycle.shape(rank), option) &&
         !budget_hit(cycle.in, cycle.pending, rank, option.flavors);
}

}  // namespace ym::engine
