// Which jobs are admitted, and where; which jobs block backfill.
#include <algorithm>
#include <utility>

#include "engine/cycle/cycle.h"
#include "engine/cycle/place.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/make_room.h"
#include "engine/cycle/stop/size.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Nothing: there is no place. If there is none even for the shortest walltime, no job of the shape has one, and that is
// noted.
std::optional<Choice> choose_beside_reservations(Cycle& cycle, Rank rank, const Flavors& flavors,
                                                 const Walltime& walltime, Refusal& refusal) {
  const Shape& shape = cycle.shape(rank);
  for (const PartIndex part : indices<PartIndex>(shape.parts(flavors)))
    if (cycle.known.full.has_none(shape.part(flavors, part).need_index, flavors.of(part), cycle.tried.trial.epoch()))
      return std::nullopt;
  auto choice = choose_largest(cycle, rank, flavors, walltime);
  if (choice) return choice;
  const bool is_room =
      cycle.tried.reservations.any() && choose(cycle.in.state.inventory, cycle.in.scorer, flavors, shape.need(),
                                               cycle.tried.access(cycle.in, cycle.known, kFleeting));
  if (is_room) refusal.whole = false;
  else if (!flavors.is_mix()) cycle.known.full.note(shape.need_index, flavors.only(), cycle.tried.trial.epoch());
  return std::nullopt;
}

bool has_to_borrow(const Inputs& in, const Shape& shape, const Flavors& flavors) {
  const QuotaTree& quota = in.state.quota;
  return find_ask(quota, shape, flavors, [&](const Ask& ask) { return would_borrow(quota, shape, ask); }).has_value();
}

bool try_option(Cycle& cycle, Rank rank, const Flavors& flavors, const Walltime& walltime, Refusal& refusal) {
  const Shape& shape = cycle.shape(rank);
  if (cycle.tried.quota_stops(cycle.in, shape, flavors, kFleeting)) return false;
  const bool by_walltime = cycle.tried.reservations.any() || cycle.in.state.budgets.any();
  if (by_walltime && cycle.tried.quota_stops(cycle.in, shape, flavors, walltime)) {
    refusal.whole = false;
    return false;
  }
  auto choice = choose_beside_reservations(cycle, rank, flavors, walltime, refusal);
  if (choice) admit(cycle, rank, flavors, std::move(*choice));
  return choice.has_value();
}

// Whether it would have to borrow even if all nominal quota of its queue were free.
bool is_beyond_nominal(const Inputs& in, const Shape& shape, const Flavors& flavors) {
  const QuotaTree& quota = in.state.quota;
  const auto is_beyond = [&](const Ask& ask) { return ask.amount > quota.subtree(shape.queue, ask.flavor, ask.kind); };
  return find_ask(quota, shape, flavors, is_beyond).has_value();
}

enum class Borrowing : std::uint8_t { avoided, allowed };
enum class TriedFlavor : std::uint8_t { begins, waits, no };

// Tries one flavor. Where the queue says so, jobs are stopped there before the next flavor is tried.
TriedFlavor try_flavor(Cycle& cycle, Rank rank, const Option& option, const Walltime& walltime, Borrowing borrowing,
                       Refusal& refusal) {
  const Shape& shape = cycle.shape(rank);
  const Queue* rules = cycle.in.rules[shape.queue];
  const bool may_borrow = borrowing == Borrowing::allowed;
  if ((may_borrow || !has_to_borrow(cycle.in, shape, option.flavors)) &&
      try_option(cycle, rank, option.flavors, walltime, refusal))
    return TriedFlavor::begins;
  if (!rules || rules->when_can_preempt != FlavorSearch::stop) return TriedFlavor::no;
  if (!may_borrow && is_beyond_nominal(cycle.in, shape, option.flavors)) return TriedFlavor::no;
  switch (make_room_there(cycle, rank, option)) {
    case RoomThere::made: return TriedFlavor::begins;
    case RoomThere::expected: return TriedFlavor::waits;
    case RoomThere::none: break;
  }
  return TriedFlavor::no;
}

// If the job does not fit, notes a refusal for the jobs of its shape behind it. As in Kueue's flavorFungibility: where
// borrowing is to be avoided, all flavors are tried without it first.
bool try_to_admit(Cycle& cycle, Rank rank, const Walltime& walltime) {
  const Queue* rules = cycle.in.rules[cycle.queue_of(rank)];
  Refusal refusal{.epoch = cycle.tried.trial.epoch(), .round = cycle.tried.round, .whole = true, .walltime = walltime};
  const bool careful = rules && rules->when_can_borrow == FlavorSearch::try_next;
  for (const Borrowing borrowing : {Borrowing::avoided, Borrowing::allowed}) {
    if (borrowing == Borrowing::avoided && !careful) continue;
    for (const Option& option : cycle.shape_cache(rank).options) {
      if (!option.within_max) continue;
      const TriedFlavor tried = try_flavor(cycle, rank, option, walltime, borrowing, refusal);
      if (tried == TriedFlavor::begins) return true;
      // It waits for room of its own: jobs behind it may find other room, so no refusal is noted.
      if (tried == TriedFlavor::waits) return false;
    }
  }
  refusal.for_all =
      !refusal.whole && !least_would_fit(cycle.in, cycle.tried, cycle.known, cycle.entry(rank).shape, Fits::now);
  cycle.shape_cache(rank).refused = refusal;
  return false;
}

// The least demanding walltime of the shape: no job of the shape is easier to place.
Walltime least_walltime(const Inputs& in, const Findings& known, ShapeIndex index) {
  const LeastOf& least = known.shape_caches[index].least;
  return {.until = after(after(in.now, in.policy.start_allowance), least.occupancy),
          .yields_by = in.now,
          .claims = {.queue = in.state.shapes[index].queue,
                     .priority = least.priority,
                     .submitted_at = least.submitted_at,
                     .id = least.id}};
}

// Whether the tree has too little quota left, whichever of its queues uses it.
bool tree_stops(const Inputs& in, const Tried& tried, const Shape& shape, const Flavors& flavors,
                const Walltime& walltime) {
  const QuotaTree& promised = in.state.promised;
  const auto is_short = [&](const Ask& ask) {
    return promised.is_short_in_all(shape.queue, ask.flavor, ask.kind, ask.amount);
  };
  return in.policy.quota_phase && tried.reservations.counts_on_quota(promised.root(shape.queue), walltime) &&
         find_ask(promised, shape, flavors, is_short);
}

}  // namespace

bool least_would_fit(const Inputs& in, const Tried& tried, const Findings& known, ShapeIndex index, Fits when) {
  const Shape& shape = in.state.shapes[index];
  const Queue* rules = in.rules[shape.queue];
  if (tried.reservations.windows().any() || in.state.budgets.any()) return true;
  if (rules && rules->when_can_preempt == FlavorSearch::stop) return true;
  const Walltime least = least_walltime(in, known, index);
  return std::ranges::any_of(known.shape_caches[index].options, [&](const Option& option) {
    if (!option.within_max) return false;
    if (when == Fits::now ? tried.quota_stops(in, shape, option.flavors, least)
                          : tree_stops(in, tried, shape, option.flavors, least))
      return false;
    return choose(in.state.inventory, in.scorer, option.flavors, shape.need(), tried.access(in, known, least))
        .has_value();
  });
}

bool is_refused(const Tried& tried, const ShapeCache& one) {
  const Refusal& refused = one.refused;
  return refused.epoch == tried.trial.epoch() && (refused.whole || (refused.for_all && refused.round == tried.round));
}

namespace {

bool is_admitted(Cycle& cycle, Rank rank) {
  const Refusal& refused = cycle.shape_cache(rank).refused;
  const bool refused_already = refused.epoch == cycle.tried.trial.epoch();
  if (is_refused(cycle.tried, cycle.shape_cache(rank))) return false;
  const Walltime walltime = walltime_of(cycle.in, cycle.pending, cycle.tried, rank);
  if (refused_already && refused.round == cycle.tried.round &&
      walltime.outlasts(refused.walltime, rule_of(cycle.in, cycle.queue_of(rank))))
    return false;
  return try_to_admit(cycle, rank, walltime);
}

Footprint footprint_of(const Shape& shape, const Flavors& flavors, const Choice& choice) {
  Footprint place = shape.footprint(flavors);
  for (std::size_t task = 0; task < choice.devices.size(); ++task)
    place.tasks.push_back({.node = choice.nodes.nodes[task], .bits = choice.devices[task], .devices = {}});
  return place;
}

}  // namespace

void admit(Cycle& cycle, Rank rank, const Flavors& flavors, Choice choice) {
  const Inventory& inventory = cycle.in.state.inventory;
  cycle.tried.enter(cycle.in, cycle.entry(rank).slot,
                    {.place = footprint_of(cycle.shape(rank), flavors, choice),
                     .decision = cycle.out.plan.decisions.size(),
                     .was_tried = true});
  cycle.out.plan.decisions.emplace_back(
      Admission{.job = cycle.job(rank).id,
                .cluster = inventory.cluster_names[choice.nodes.cluster],
                .flavor = inventory.name_of(flavors),
                .placement = placement_of(inventory, choice.nodes.nodes, choice.devices)});
  cycle.tried.trial.take(cycle.grant(rank, flavors, std::move(choice)));
  cycle.entry(rank).status = EntryStatus::admitted;
}

void admit_larger(Cycle& cycle, Rank rank, Choice choice) {
  TentativeAdmission tentative = cycle.tried.tentative.at(cycle.entry(rank).slot);
  const Flavors flavors = tentative.place.flavors;
  tentative.place = footprint_of(cycle.shape(rank), flavors, choice);
  std::get<Admission>(cycle.out.plan.decisions[tentative.decision]).placement =
      placement_of(cycle.in.state.inventory, choice.nodes.nodes, choice.devices);
  cycle.tried.leave(cycle.in, cycle.entry(rank).slot);
  cycle.tried.enter(cycle.in, cycle.entry(rank).slot, std::move(tentative));
  cycle.tried.trial.release_grant(cycle.job(rank).id);
  cycle.tried.trial.take(cycle.grant(rank, flavors, std::move(choice)));
}

namespace {

// Wakes at the begin of the budget's next window, if the job would exceed a budget.
void wake_with_next_window(Cycle& cycle, Rank rank) {
  if (!cycle.in.state.budgets.any() || !cycle.job(rank).time_limit) return;
  if (const auto over = over_budget(cycle.in, cycle.pending, cycle.known, rank); over.first)
    cycle.out.wake_at(instant_of_day(window_end(over.first->budget.per, cycle.in.now)));
}

}  // namespace

void try_to_admit(Cycle& cycle, Rank rank) {
  const PendingEntry& entry = cycle.entry(rank);
  if (entry.status == EntryStatus::admitted) grow(cycle, rank);
  if (entry.status != EntryStatus::open) return;
  if (const Idle& idle = cycle.known.shape_caches[entry.shape].idle;
      idle.holds(cycle.tried.trial.epoch(), cycle.tried.round)) {
    if (idle.ages) cycle.out.wake_at(entry.aged_at);
    return;
  }
  wake_with_next_window(cycle, rank);
  if (is_barred(cycle, rank)) return;
  if (!is_admitted(cycle, rank)) refuse(cycle, rank);
}

void place(Cycle& cycle) {
  if (!cycle.in.policy.place_phase) return;
  settle_nominations(cycle);
  place_all(cycle);
  forget_expected(cycle.tried, cycle.known);
}

}  // namespace ym::engine
