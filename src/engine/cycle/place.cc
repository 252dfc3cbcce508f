// Who is admitted, and where; whom the others may not pass.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/make_room.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/size.h"
#include "engine/cycle/tournament.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Nothing: they have none for whoever would leave at once, and so for nobody.
std::optional<Choice> choose_beside_reservations(Cycle& cycle, Rank rank, const Flavors& flavors, const Tenure& tenure,
                                                 Refusal& refusal) {
  const Shape& shape = cycle.shape(rank);
  for (std::size_t part = 0; part < shape.parts(flavors); ++part)
    if (cycle.ground(shape.part(flavors, part), flavors.of(part)).full == cycle.trial.epoch()) return std::nullopt;
  auto choice = choose_largest(cycle, rank, flavors, tenure);
  if (choice) return choice;
  const bool is_room = cycle.reservations.any() &&
                       choose(cycle.state.inventory, cycle.scorer, flavors, shape.need(), cycle.access(kFleeting));
  if (is_room) refusal.whole = false;
  else if (!flavors.is_mix()) cycle.ground(shape, flavors.only()).full = cycle.trial.epoch();
  return std::nullopt;
}

bool has_to_borrow(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  const QuotaTree& quota = cycle.state.quota;
  return find_ask(quota, shape, flavors, [&](const Ask& ask) { return would_borrow(quota, shape, ask); }).has_value();
}

bool try_option(Cycle& cycle, Rank rank, const Flavors& flavors, const Tenure& tenure, Refusal& refusal) {
  const Shape& shape = cycle.shape(rank);
  if (cycle.quota_stops(shape, flavors, tenure)) {
    const bool by_tenure = cycle.reservations.any() || cycle.state.budgets.any();
    if (by_tenure && !cycle.quota_stops(shape, flavors, kFleeting)) refusal.whole = false;
    return false;
  }
  auto choice = choose_beside_reservations(cycle, rank, flavors, tenure, refusal);
  if (choice) admit(cycle, rank, flavors, std::move(*choice));
  return choice.has_value();
}

// With all of its queue's own quota there.
bool is_beyond_nominal(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  const QuotaTree& quota = cycle.state.quota;
  const auto is_beyond = [&](const Ask& ask) { return ask.amount > quota.subtree(shape.queue, ask.flavor, ask.kind); };
  return find_ask(quota, shape, flavors, is_beyond).has_value();
}

enum class Borrowing : std::uint8_t { avoided, allowed };
enum class Tried : std::uint8_t { begins, waits, no };

// In this flavor; where the queue says so, others are stopped there before the next is tried.
Tried try_flavor(Cycle& cycle, Rank rank, const Option& option, const Tenure& tenure, Borrowing borrowing,
                 Refusal& refusal) {
  const Shape& shape = cycle.shape(rank);
  const Queue* rules = cycle.rules[shape.queue];
  const bool may_borrow = borrowing == Borrowing::allowed;
  if ((may_borrow || !has_to_borrow(cycle, shape, option.flavors)) &&
      try_option(cycle, rank, option.flavors, tenure, refusal))
    return Tried::begins;
  if (!rules || rules->when_can_preempt != FlavorSearch::stop) return Tried::no;
  if (!may_borrow && is_beyond_nominal(cycle, shape, option.flavors)) return Tried::no;
  switch (make_room_there(cycle, rank, option)) {
    case RoomThere::made: return Tried::begins;
    case RoomThere::expected: return Tried::waits;
    case RoomThere::none: break;
  }
  return Tried::no;
}

// Whether one would fit who is in the way of no more than any job of the shape. If not, none of them does until others
// hold other reservations; where more than machines and quota decides, that is not known.
bool least_would_fit(Cycle& cycle, Rank rank, const Tenure& tenure) {
  const Queue* rules = cycle.rules[cycle.queue_of(rank)];
  if (cycle.reservations.windows().any() || cycle.state.budgets.any()) return true;
  if (rules && rules->when_can_preempt == FlavorSearch::stop) return true;
  const LeastOf& least = cycle.case_of(rank).least;
  Tenure shortest = tenure;
  shortest.until = after(after(cycle.now, cycle.policy.start_allowance), least.stay);
  if (shortest.yields_by != kNever) shortest.yields_by = cycle.now;
  shortest.claims.priority = least.priority;
  shortest.claims.submitted_at = least.submitted_at;
  shortest.claims.id = least.id;
  const Shape& shape = cycle.shape(rank);
  return std::ranges::any_of(cycle.case_of(rank).options, [&](const Option& option) {
    return option.within_max && !cycle.quota_stops(shape, option.flavors, shortest) &&
           choose(cycle.state.inventory, cycle.scorer, option.flavors, shape.need(), cycle.access(shortest));
  });
}

// Says what is found for those after it if it does not fit. Kueue's flavorFungibility: where borrowing is to
// be avoided, all flavors are tried without it first.
bool try_to_admit(Cycle& cycle, Rank rank, const Tenure& tenure) {
  const Queue* rules = cycle.rules[cycle.queue_of(rank)];
  Refusal refusal{.epoch = cycle.trial.epoch(), .round = cycle.round, .whole = true, .tenure = tenure};
  const bool careful = rules && rules->when_can_borrow == FlavorSearch::try_next;
  for (const Borrowing borrowing : {Borrowing::avoided, Borrowing::allowed}) {
    if (borrowing == Borrowing::avoided && !careful) continue;
    for (const Option& option : cycle.case_of(rank).options) {
      if (!option.within_max) continue;
      const Tried tried = try_flavor(cycle, rank, option, tenure, borrowing, refusal);
      if (tried == Tried::begins) return true;
      // What it waits for is its own: those after it may find something else.
      if (tried == Tried::waits) return false;
    }
  }
  refusal.for_all = !refusal.whole && !least_would_fit(cycle, rank, tenure);
  cycle.case_of(rank).refused = refusal;
  return false;
}

// No job of the shape is to be tried.
bool is_refused(const Cycle& cycle, const ShapeCase& one) {
  const Refusal& refused = one.refused;
  return refused.epoch == cycle.trial.epoch() && (refused.whole || (refused.for_all && refused.round == cycle.round));
}

bool is_admitted(Cycle& cycle, Rank rank) {
  const Refusal& refused = cycle.case_of(rank).refused;
  const bool refused_already = refused.epoch == cycle.trial.epoch();
  if (is_refused(cycle, cycle.case_of(rank))) return false;
  const Tenure tenure = tenure_of(cycle, rank);
  if (refused_already && refused.round == cycle.round &&
      tenure.outlasts(refused.tenure, rule_of(cycle, cycle.queue_of(rank))))
    return false;
  return try_to_admit(cycle, rank, tenure);
}

Footprint footprint_of(const Shape& shape, const Flavors& flavors, const Choice& choice) {
  Footprint place = shape.footprint(flavors);
  for (std::size_t task = 0; task < choice.devices.size(); ++task)
    place.tasks.push_back({.node = choice.nodes.nodes[task], .bits = choice.devices[task], .devices = {}});
  return place;
}

}  // namespace

void admit(Cycle& cycle, Rank rank, const Flavors& flavors, Choice choice) {
  const Inventory& inventory = cycle.state.inventory;
  cycle.enter(rank, {.place = footprint_of(cycle.shape(rank), flavors, choice),
                     .decision = cycle.plan.decisions.size(),
                     .had_turn = true});
  cycle.plan.decisions.emplace_back(
      Admission{.job = cycle.job(rank).id,
                .cluster = inventory.cluster_names[choice.nodes.cluster],
                .flavor = inventory.name_of(flavors),
                .placement = placement_of(inventory, choice.nodes.nodes, choice.devices)});
  cycle.trial.take(cycle.grant(rank, flavors, std::move(choice)));
  cycle.seat(rank).standing = Standing::admitted;
}

void admit_larger(Cycle& cycle, Rank rank, Choice choice) {
  Fresh fresh = cycle.fresh_of(rank);
  const Flavors flavors = fresh.place.flavors;
  fresh.place = footprint_of(cycle.shape(rank), flavors, choice);
  std::get<Admission>(cycle.plan.decisions[fresh.decision]).placement =
      placement_of(cycle.state.inventory, choice.nodes.nodes, choice.devices);
  cycle.leave(rank);
  cycle.enter(rank, std::move(fresh));
  cycle.trial.release_grant(cycle.job(rank).id);
  cycle.trial.take(cycle.grant(rank, flavors, std::move(choice)));
}

namespace {

// Then the budget is whole again that it would exceed.
void wake_with_next_window(Cycle& cycle, Rank rank) {
  if (!cycle.state.budgets.any() || !cycle.job(rank).time_limit) return;
  if (const auto over = over_budget(cycle, rank); over.first)
    cycle.wake_at(instant_of_day(window_end(over.first->budget.per, cycle.now)));
}

void place_one(Cycle& cycle, Rank rank) {
  if (cycle.seat(rank).standing == Standing::admitted) grow(cycle, rank);
  if (!cycle.is_open(rank)) return;
  wake_with_next_window(cycle, rank);
  if (is_barred(cycle, rank)) return;
  if (!is_admitted(cycle, rank)) refuse(cycle, rank);
}

void place_in_order(Cycle& cycle) {
  for (Rank rank = 0; rank < cycle.considered; ++rank) place_one(cycle, rank);
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
  std::uint64_t* const full = flavors.is_mix() ? nullptr : &cycle.ground(shape, flavors.only()).full;
  if (full && *full == cycle.trial.epoch()) return false;
  if (choose(cycle.state.inventory, cycle.scorer, flavors, shape.need(), cycle.access(kFleeting))) return true;
  if (full) *full = cycle.trial.epoch();
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
  for (Tournament tournament(cycle); rank < cycle.considered; ++rank) {
    const Index seat = tournament.next();
    YM_ASSERT(seat != kNone);
    cycle.set_rank(seat, rank);
    place_one(cycle, rank);
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
  for (std::size_t decided = ~std::size_t{0}; decided != cycle.plan.decisions.size();) {
    decided = cycle.plan.decisions.size();
    forget_keepers(cycle);
    if (turns) place_by_share(cycle);
    else place_in_order(cycle);
    // In an order that nobody changes, only promises and limits depend on those who come after.
    if (!turns && cycle.reservations.all().empty() && !cycle.state.limits.any() && !cycle.state.budgets.any()) return;
  }
}

void place(Cycle& cycle) {
  if (!cycle.policy.place_phase) return;
  settle_holds(cycle);
  place_all(cycle);
  forget_expected(cycle);
}

}  // namespace ym::engine
