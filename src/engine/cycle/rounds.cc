// Of place: rounds of turns, until nobody is admitted in one.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/seniority.h"
#include "engine/cycle/tournament.h"
#include "engine/cycle/turn.h"

namespace ym::engine {
namespace {

void place_in_order(Cycle& cycle) {
  for (Rank rank = 0; rank < cycle.considered; ++rank) take_turn(cycle, rank);
}

// Who is admitted already stands in nobody's way, unless he is still to have his turn. Returns how many these are.
Rank rank_admitted(Cycle& cycle) {
  for (const Index seat : std::exchange(cycle.placed, {})) cycle.seats[seat].placed = false;
  for (const auto& [slot, fresh] : cycle.fresh)
    if (fresh.had_turn) cycle.placed.push_back(cycle.seat_of[slot]);
  std::ranges::sort(cycle.placed, {}, [&](Index seat) { return cycle.rank_at[seat]; });
  Rank first = 0;
  for (const Index seat : cycle.placed) {
    cycle.seats[seat].placed = true;
    cycle.set_rank(seat, first++);
  }
  return first;
}

bool may_fit(Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  if (cycle.quota_stops(shape, flavors, kFleeting)) return false;
  const bool alone = !flavors.is_mix();
  if (alone && cycle.full.has_none(shape.need_index, flavors.only(), cycle.trial.epoch())) return false;
  if (choose(cycle.state.inventory, cycle.scorer, flavors, shape.need(), cycle.access(kFleeting))) return true;
  if (alone) cycle.full.note(shape.need_index, flavors.only(), cycle.trial.epoch());
  return false;
}

// Whether some job of the shape might have room, however short it is there. What is found is remembered as if one had
// been refused.
bool may_begin(Cycle& cycle, Index shape) {
  ShapeCase& one = cycle.cases[shape];
  const Shape& what = cycle.state.shapes[shape];
  const Queue* rules = cycle.rules[what.queue];
  if (rules && rules->when_can_preempt == FlavorSearch::stop) return true;
  if (std::ranges::any_of(
          one.options, [&](const Option& option) { return option.within_max && may_fit(cycle, what, option.flavors); }))
    return true;
  one.refused = {.epoch = cycle.trial.epoch(), .round = cycle.round};
  return false;
}

// Whether anybody who is still to have his turn might be admitted, or grow.
bool somebody_may_begin(Cycle& cycle, const Tournament& tournament) {
  if (std::ranges::any_of(cycle.fresh, [](const auto& one) { return !one.second.had_turn; })) return true;
  for (Index i = 0; i < cycle.cases.size(); ++i) {
    const ShapeCase& one = cycle.cases[i];
    const bool waits = one.open && !is_refused(cycle, one);
    if (waits && tournament.may_come_to(cycle.state.shapes[i].queue, one.last_seat) && may_begin(cycle, i)) return true;
  }
  return false;
}

// To ask it costs as much as some turns.
constexpr Rank kTurnsBetween = 512;

// The others change places among each other until all have had their turns: only these say what their ranks are. A
// round after which there will be another ends where nobody else could begin in it.
void place_by_share(Cycle& cycle) {
  const std::size_t decided = cycle.plan.decisions.size();
  Rank rank = rank_admitted(cycle), ask_at = 0;
  mark_lenders(cycle);
  for (Tournament tournament(cycle); rank < cycle.considered; ++rank) {
    const Index seat = tournament.next();
    YM_ASSERT(seat != kNone);
    cycle.set_rank(seat, rank);
    take_turn(cycle, rank);
    if (decided == cycle.plan.decisions.size() || rank < ask_at) continue;
    if (!somebody_may_begin(cycle, tournament)) return;
    ask_at = rank + kTurnsBetween;
  }
}

}  // namespace

void place_all(Cycle& cycle) {
  // Without limits nobody borrows, and all shares are alike.
  const bool shares = cycle.policy.quota_phase && cycle.state.quota.limits_any();
  const bool turns = cycle.policy.order_phase && (shares || cycle.state.orders.any());
  const std::optional<Instant> wake = cycle.plan.next_wake;
  for (std::size_t decided = ~std::size_t{0}; decided != cycle.plan.decisions.size();) {
    decided = cycle.plan.decisions.size();
    // What somebody waited for in a round that is over may be no matter any more: who still waits says it again. For
    // whom others are stopped has no further turn, but until when his place is kept holds.
    cycle.plan.next_wake = wake;
    for (const auto& [job, room] : cycle.made_room) cycle.wake_at(room.until);
    forget_keepers(cycle);
    if (turns) place_by_share(cycle);
    else place_in_order(cycle);
    // In an order that nobody changes, only promises and limits depend on those who come after.
    if (!turns && cycle.reservations.all().empty() && !cycle.state.limits.any() && !cycle.state.budgets.any()) return;
  }
  if (turns) wake_when_passed_no_more(cycle);
}

}  // namespace ym::engine
