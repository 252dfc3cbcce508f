// Of place: rounds over all jobs, until a round admits none.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/order/effective_queue_time.h"
#include "engine/cycle/order/fair_share_order.h"
#include "engine/cycle/place.h"

namespace ym::engine {
namespace {

void place_in_order(Cycle& cycle) {
  for (Rank rank{0}; rank < cycle.pending.considered; ++rank) try_to_admit(cycle, rank);
}

// An admitted job is in no other job's way, unless it is still to be tried. These jobs get the first ranks. Returns the
// rank behind theirs.
Rank rank_admitted(PendingEntries& pending, const Tried& tried) {
  for (const EntryIndex entry : std::exchange(pending.placed, {})) pending.entries[entry].placed = false;
  for (const auto& [slot, tentative] : tried.tentative)
    if (tentative.was_tried) pending.placed.push_back(pending.entry_of[slot]);
  std::ranges::sort(pending.placed, {}, [&](EntryIndex entry) { return pending.rank_at[entry]; });
  Rank first{0};
  for (const EntryIndex entry : pending.placed) {
    pending.entries[entry].placed = true;
    pending.set_rank(entry, first++);
  }
  return first;
}

// Whether any job that is still to be tried might be admitted in this round, or grow.
class Chances {
 public:
  Chances(const Inputs& in, const Tried& tried, Findings& known)
      : in_(in),
        tried_(tried),
        known_(known),
        has_room_(in.state.needs.size(), in.state.inventory.flavor_names.size()) {}

  bool any(const FairShareOrder& fair_share_order) {
    if (std::ranges::any_of(tried_.tentative, [](const auto& one) { return !one.second.was_tried; })) return true;
    for (const ShapeIndex i : indices<ShapeIndex>(known_.shape_caches.size()))
      if (waits(known_.shape_caches[i]) &&
          fair_share_order.may_come_to(in_.state.shapes[i].queue, known_.shape_caches[i].last_entry) && may_begin(i) &&
          least_would_fit(in_, tried_, known_, i, Fits::until_the_round_is_over))
        return true;
    return false;
  }

 private:
  // A job that was refused for what other jobs of its own queue hold may find more later in the round.
  bool waits(const ShapeCache& one) const {
    const bool is_refused = one.refused.whole && one.refused.epoch == tried_.trial.epoch();
    return one.open && !is_refused;
  }

  // Whether some job of the shape might have room, even with the shortest walltime. If not, the shape counts as
  // refused.
  bool may_begin(ShapeIndex index) {
    ShapeCache& one = known_.shape_caches[index];
    const Shape& shape = in_.state.shapes[index];
    const Queue* rules = in_.rules[shape.queue];
    if (rules && rules->when_can_preempt == FlavorSearch::stop) return true;
    if (std::ranges::any_of(one.options,
                            [&](const Option& option) { return option.within_max && may_fit(shape, option.flavors); }))
      return true;
    one.refused = {.epoch = tried_.trial.epoch(), .round = tried_.round};
    return false;
  }

  bool may_fit(const Shape& shape, const Flavors& flavors) {
    if (tried_.quota_stops(in_, shape, flavors, kFleeting)) return false;
    if (flavors.is_mix()) return has_room(shape, flavors);
    const FlavorIndex flavor = flavors.only();
    if (known_.full.has_none(shape.need_index, flavor, tried_.trial.epoch())) return false;
    auto& known = has_room_[shape.need_index, flavor];
    if (!known) known = has_room(shape, flavors);
    if (!*known) known_.full.note(shape.need_index, flavor, tried_.trial.epoch());
    return *known;
  }

  bool has_room(const Shape& shape, const Flavors& flavors) const {
    return choose(in_.state.inventory, in_.scorer, flavors, shape.need(), tried_.access(in_, known_, kFleeting))
        .has_value();
  }

  const Inputs& in_;
  const Tried& tried_;
  Findings& known_;
  IndexedGrid<NeedIndex, FlavorIndex, std::optional<bool>> has_room_;
};

// A call of Chances costs as much as trying several jobs.
constexpr std::uint32_t kTurnsBetween = 512;

// The order in which the jobs are tried decides their ranks. A round that will be followed by another ends early when
// no further job could start in it.
void place_by_share(Cycle& cycle) {
  const std::size_t decided = cycle.out.plan.decisions.size();
  Rank rank = rank_admitted(cycle.pending, cycle.tried), ask_at{0};
  mark_inheritable_ages(cycle);
  for (FairShareOrder fair_share_order(cycle); rank < cycle.pending.considered; ++rank) {
    const EntryIndex entry = fair_share_order.next();
    YM_ASSERT(entry != kNone);
    cycle.pending.set_rank(entry, rank);
    try_to_admit(cycle, rank);
    if (decided == cycle.out.plan.decisions.size() || rank < ask_at) continue;
    if (!Chances(cycle.in, cycle.tried, cycle.known).any(fair_share_order)) return;
    ask_at = rank + kTurnsBetween;
  }
}

// Grows when a job is admitted, or is tried beside its nominated placement: such a job is not tried again.
std::size_t done_so_far(const Tried& tried, const Output& out) {
  const auto was_tried = std::ranges::count_if(tried.tentative, [](const auto& one) { return one.second.was_tried; });
  return out.plan.decisions.size() + static_cast<std::size_t>(was_tried);
}

}  // namespace

void place_all(Cycle& cycle) {
  // Without limits no queue borrows, and all shares are equal.
  const bool shares = cycle.in.policy.quota_phase && cycle.in.state.quota.limits_any();
  const bool by_share = cycle.in.policy.order_phase && (shares || cycle.in.state.orders.any());
  const std::optional<Instant> wake = cycle.out.plan.next_wake;
  for (std::size_t done = ~std::size_t{0}; done != done_so_far(cycle.tried, cycle.out);) {
    done = done_so_far(cycle.tried, cycle.out);
    // Wake times of an earlier round may be obsolete: a job that still waits sets its own again. A preempting job is
    // not tried again, but the expiry of its nominated placement still counts.
    cycle.out.plan.next_wake = wake;
    for (const auto& [job, room] : cycle.tried.made_room) cycle.out.wake_at(room.until);
    forget_keepers(cycle.in, cycle.tried, cycle.known);
    if (by_share) place_by_share(cycle);
    else place_in_order(cycle);
    // In a fixed order, only reservations, limits and budgets depend on jobs further behind.
    if (!by_share && cycle.tried.reservations.all().empty() && !cycle.in.state.limits.any() &&
        !cycle.in.state.budgets.any())
      return;
  }
  if (by_share) wake_when_passed_no_more(cycle);
}

}  // namespace ym::engine
