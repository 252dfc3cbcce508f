#include "engine/cycle/cycle.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "engine/cycle/reserve.h"
#include "engine/placement/together.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Runs one phase between the observer's two calls.
template <class Phase>
void run(PhaseObserver* observer, std::string_view name, Phase phase) {
  if (observer) observer->begin(name);
  phase();
  if (observer) observer->end(name);
}

}  // namespace

Plan decide(State& state, const Policy& policy, Instant now, PhaseObserver* observer) {
  Cycle cycle(state.impl(), policy, now);
  run(observer, "order", [&] { order(cycle); });
  run(observer, "quota", [&] { quota(cycle.in, cycle.known); });
  run(observer, "drain", [&] { drain(cycle.in, cycle.tried, cycle.out); });
  run(observer, "shrink", [&] { shrink(cycle.in, cycle.tried, cycle.out); });
  run(observer, "place", [&] { place(cycle); });
  run(observer, "preempt", [&] { preempt(cycle); });
  run(observer, "consolidate", [&] { consolidate(cycle); });
  run(observer, "resize", [&] { resize(cycle); });
  run(observer, "provision", [&] { provision(cycle); });
  publish_reservations(cycle.in, cycle.tried, cycle.out);
  if (policy.verdicts) run(observer, "explain", [&] { explain(cycle); });
  return std::move(cycle.out.plan);
}

Inputs::Inputs(State::Impl& state_, const Policy& policy_, Instant now_)
    : state(state_),
      policy(policy_),
      now(now_),
      scorer(policy_.scoring, state_.workload, state_.inventory),
      rules(state_.queue_names.size()) {
  for (const auto& [name, row] : state_.queues) rules[state_.queue_names.find(name)] = &row;
}

Tried::Tried(const Inputs& in)
    : trial(in.state),
      kept_nodes(in.state.inventory.rows.size()),
      kept_quota(in.state.queue_names.size(), in.state.inventory.flavor_names.size()),
      reservations(in.state, in.state.free_intervals, in.policy, in.now),
      reserved(in.state.queue_names.size()),
      heads(in.state.queue_names.size(), kNone),
      first_short(in.state.queue_names.size(), kNone) {}

Findings::Findings(const State::Impl& state)
    : ratings(state.touch_log),
      shape_caches(state.shapes.size()),
      shape_flavors(state.needs.size(), state.inventory.flavor_names.size()),
      full(state),
      yielding(state.queue_names.size()),
      expiring(state.queue_names.size()) {}

Cycle::Cycle(State::Impl& state, const Policy& policy, Instant now) : in(state, policy, now), tried(in), known(state) {
  out.plan.version = state.version;
  const FreeTimesBook::Rules ends{.start_allowance = policy.start_allowance, .overdue_margin = policy.hold_margin};
  state.free_times.follow(state.inventory, ends);
  const Calendar& calendar = tried.reservations.calendar();
  state.free_intervals.follow(
      {.machines = state.inventory.changes(), .rules = ends, .minute = calendar.running_minute()}, now);
}

void Tried::enter(const Inputs& in, Slot slot, TentativeAdmission admitted) {
  const Footprint& place = admitted.place;
  if (decayed_usage)
    for (const FlavorIndex flavor : place.flavors.each())
      decayed_usage->admit(place.queue, in.state.jobs[slot].user, flavor, place.in(flavor));
  tentative.emplace(slot, std::move(admitted));
}

void Tried::leave(const Inputs& in, Slot slot) {
  const auto gone = tentative.extract(slot);
  const Footprint& place = gone.mapped().place;
  if (decayed_usage)
    for (const FlavorIndex flavor : place.flavors.each())
      decayed_usage->revoke(place.queue, in.state.jobs[slot].user, flavor, place.in(flavor));
}

bool Tried::quota_stops(const Inputs& in, const Shape& shape, const Flavors& flavors, const Walltime& walltime,
                        When when) const {
  if (!in.policy.quota_phase) return false;
  const bool counted_on = reservations.counts_on_quota(in.state.quota.root(shape.queue), walltime);
  if (walltime.limit && in.state.budgets.any() &&
      in.state.budgets.hit(shape.queue, in.state.cost_of(shape, flavors, *walltime.limit), in.now))
    return true;
  // `reserved` counts all that `claimed` counts, unless a holder inherits quota.
  if ((!counted_on || !in.state.inheritances.empty()) && kept_quota.stops(in.state.claimed, shape, flavors))
    return true;
  if (counted_on && kept_quota.stops(in.state.reserved, shape, flavors)) return true;
  return when == When::now && in.state.leaving > 0 && short_now(in.state.in_use, shape, flavors).has_value();
}

Grant grant_to(Slot slot, const Flavors& flavors, Choice choice) {
  return {.job = slot,
          .flavors = flavors,
          .cluster = choice.nodes.cluster,
          .nodes = std::move(choice.nodes.nodes),
          .bits = std::move(choice.devices)};
}

std::optional<LimitHit> limit_hit(const Inputs& in, const PendingEntries& pending, Rank rank, std::int32_t nodes) {
  if (!in.policy.quota_phase || !in.state.limits.any()) return std::nullopt;
  const std::int64_t gpus = shape_of(in, pending, rank).sized(nodes).total()[ResourceKind::gpus];
  return in.state.limits.hit(pending.entry(rank).queue, job_of(in, pending, rank).user, gpus);
}

std::optional<LimitHit> limit_hit(const Inputs& in, const PendingEntries& pending, Rank rank) {
  return limit_hit(in, pending, rank, shape_of(in, pending, rank).nodes);
}

std::optional<BudgetHit> budget_hit(const Inputs& in, const PendingEntries& pending, Rank rank, const Flavors& flavors,
                                    std::int32_t nodes) {
  const Shape& shape = shape_of(in, pending, rank);
  if (!in.policy.quota_phase || !in.state.budgets.any(shape.queue) || shape.total()[ResourceKind::gpus] == 0)
    return std::nullopt;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto& limit = job_of(in, pending, rank).time_limit;
  const Cost cost = limit ? in.state.cost_of(shape.sized(nodes), flavors, *limit) : Cost{kMost, kMost};
  return in.state.budgets.hit(shape.queue, cost, in.now);
}

std::optional<BudgetHit> budget_hit(const Inputs& in, const PendingEntries& pending, Rank rank,
                                    const Flavors& flavors) {
  return budget_hit(in, pending, rank, flavors, shape_of(in, pending, rank).nodes);
}

void PendingEntries::set_rank(EntryIndex entry, Rank rank) {
  const Rank old = rank_at[entry];
  const EntryIndex other = order[rank];
  order[old] = other;
  rank_at[other] = old;
  order[rank] = entry;
  rank_at[entry] = rank;
}

bool PendingEntries::some_are_open() const {
  return std::ranges::any_of(order, [&](EntryIndex one) { return entries[one].status == EntryStatus::open; });
}

void Output::wake_at(Instant time) {
  if (!plan.next_wake || time < *plan.next_wake) plan.next_wake = time;
}

const Hardware& hardware_of(const Inputs& in, const Shape& part, FlavorIndex flavor) {
  return in.state.hardware.of(in.state.inventory, part.need(), part.need_index, flavor);
}

namespace {

// A test of nodes for a gang.
struct Test {
  IndexedVector<PoolIndex, std::uint8_t> Hardware::* pools;  // pools with enough such nodes
  bool (Inventory::*node)(NodeIndex, const NodeNeed&) const;
};
constexpr Test kLarge{&Hardware::pool_is_large, &Inventory::large_enough};
constexpr Test kServing{&Hardware::pool_can_serve, &Inventory::can_serve};

// Whether the pool has enough such nodes for these parts, which all use its flavor.
bool are_enough(const Inventory& inventory, const Pool& pool, const GangNeed& need,
                const IndexedVector<PartBit, PartIndex>& parts, const Test& test) {
  IndexedVector<PartBit, std::size_t> wanted;
  for (const PartIndex part : parts) wanted.push_back(need.parts[part].nodes);
  std::vector<std::int64_t> nodes(std::size_t{1} << parts.size());  // by mask of the parts that could use the node
  for (const NodeIndex node : pool.nodes) {
    PartMask could = 0;
    for (const PartBit bit : parts.indices()) {
      const GangPart& part = need.parts[parts[bit]];
      if (inventory.matches(part.rule, node) && (inventory.*test.node)(node, part.task)) could |= mask_of(bit);
    }
    nodes[could] += 1;
  }
  Together together(wanted);
  for (PartMask could = 1; could < nodes.size(); ++could)
    if (nodes[could] > 0) together.add(could, nodes[could]);
  return together.is_enough();
}

// Whether this pool, of the first part's flavor, is enough for the parts of that flavor, and the pools beside it are
// enough for the others.
bool is_place(const Inputs& in, const Shape& shape, const Flavors& flavors, const Pool& pool, const Test& test) {
  const Inventory& inventory = in.state.inventory;
  const LevelIndex level = shape.levels.required;
  std::map<FlavorIndex, IndexedVector<PartBit, PartIndex>> by_flavor;
  for (const PartIndex part : indices<PartIndex>(shape.parts(flavors))) {
    const FlavorIndex flavor = flavors.of(part);
    const Pool* here = part == PartIndex{0} ? &pool : inventory.pool_beside(pool, flavor, level);
    if (!here) return false;
    const PoolIndex index = inventory.index_of(*here, flavor, level);
    if ((hardware_of(in, shape.part(flavors, part), flavor).*test.pools)[index] == 0) return false;
    by_flavor[flavor].push_back(part);
  }
  const GangNeed need = shape.need();
  return std::ranges::all_of(by_flavor, [&](const auto& sharing) {
    const auto& [flavor, parts] = sharing;
    const Pool& here = flavor == flavors.first() ? pool : *inventory.pool_beside(pool, flavor, level);
    return parts.size() == 1 || are_enough(inventory, here, need, parts, test);
  });
}

bool some_place(const Inputs& in, const Shape& shape, const Flavors& flavors, const Test& test) {
  return std::ranges::any_of(in.state.inventory.pools(flavors.first(), shape.levels),
                             [&](const Pool& pool) { return is_place(in, shape, flavors, pool, test); });
}

}  // namespace

bool feasible(const Inputs& in, const Shape& shape, const Option& option) {
  if (!option.within_max) return false;
  if (!option.has_large)
    option.has_large =
        option.flavors.is_mix()
            ? some_place(in, shape, option.flavors, kLarge)
            : std::cmp_greater_equal(hardware_of(in, shape, option.flavors.only()).possible, shape.nodes);
  return *option.has_large;
}

OverBudget over_budget(const Inputs& in, const PendingEntries& pending, const Findings& known, Rank rank) {
  OverBudget over;
  const PendingEntry& entry = pending.entry(rank);
  if (!in.state.budgets.any(entry.queue)) return over;
  over.everywhere = true;
  for (const Option& option : known.shape_caches[entry.shape].options) {
    const bool possible =
        in.policy.place_phase ? feasible(in, in.state.shapes[entry.shape], option) : option.within_max;
    if (!possible) continue;
    auto hit = budget_hit(in, pending, rank, option.flavors);
    if (!hit) over.everywhere = false;
    else if (!over.first) {
      over.first = hit;
      over.flavors = option.flavors;
    }
  }
  over.everywhere = over.everywhere && over.first;
  return over;
}

bool is_barred(const Cycle& cycle, Rank rank) {
  if (cycle.head_before(rank) != kNone || limit_hit(cycle.in, cycle.pending, rank)) return true;
  return cycle.in.state.budgets.any() && over_budget(cycle.in, cycle.pending, cycle.known, rank).everywhere;
}

bool only_waits(const Inputs& in, const Shape& shape, const Option& option) {
  if (!option.within_max) return false;
  if (!option.has_serving)
    option.has_serving = option.flavors.is_mix() ? some_place(in, shape, option.flavors, kServing)
                                                 : hardware_of(in, shape, option.flavors.only()).can_serve;
  return *option.has_serving;
}

}  // namespace ym::engine
