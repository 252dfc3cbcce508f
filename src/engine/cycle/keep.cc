// What a job without a place keeps from the jobs behind it.
#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/cycle/new_nodes/provision.h"
#include "engine/cycle/new_nodes/scale_up.h"
#include "engine/cycle/order/age.h"
#include "engine/cycle/place.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/make_room.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Keeps each node that a part of the job could use now if other jobs on it had ended. With Beside::new_ones nodes are
// made too, so pools count that are too small by themselves.
enum class Beside : std::uint8_t { nothing, new_ones };
void keep_nodes(Cycle& cycle, Rank rank, const Shape& part, FlavorIndex flavor, const Walltime& walltime,
                Beside beside) {
  const Inventory& inventory = cycle.in.state.inventory;
  const GangNeed need = part.need();
  const Hardware& hardware = hardware_of(cycle.in, part, flavor);
  const AdvanceReservations& windows = cycle.tried.reservations.windows();
  std::optional<ScaleUpCandidates> tentative;
  if (beside == Beside::new_ones) tentative.emplace(inventory, flavor);
  const auto could_use = [&](NodeIndex node) {
    return inventory.matches(need.rule, node) && inventory.can_serve(node, need.task) &&
           (!tentative || tentative->is_near(node, need.levels)) &&
           !windows.closing(node, walltime.until, walltime.pass);
  };
  const auto pools = beside == Beside::nothing ? inventory.pools(flavor, need.levels) : inventory.pools(flavor);
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    if (beside == Beside::nothing && !hardware.pool_can_serve[pool]) continue;
    for (const NodeIndex node : pools[pool].nodes)
      if (could_use(node)) cycle.tried.kept_nodes.keep(inventory, node, rank, need.task);
  }
}

// The job lacks machines. It claims its quota too, or jobs behind it in its queue would have that quota when the
// machines are free.
void keep_place(Cycle& cycle, Rank rank, Option& option) {
  const Walltime walltime = walltime_of(cycle, rank);
  // Without advance reservations all jobs of the shape could use the same nodes.
  const auto could_use_others = [&] {
    return cycle.tried.reservations.windows().any() &&
           (option.keeps_nodes->pass != walltime.pass || option.keeps_nodes->until > walltime.until);
  };
  const Shape& shape = cycle.shape(rank);
  if (!option.keeps_nodes || could_use_others()) {
    const Beside beside = only_waits(cycle.in, shape, option) ? Beside::nothing : Beside::new_ones;
    for (std::size_t part = 0; part < shape.parts(option.flavors); ++part)
      keep_nodes(cycle, rank, shape.part(option.flavors, part), option.flavors.of(part), walltime, beside);
    option.keeps_nodes = walltime;
  }
  if (cycle.in.policy.quota_phase && asks_for_any(cycle.in.state.quota, shape, option.flavors))
    cycle.tried.trial.claim({.job = cycle.entry(rank).slot, .flavors = option.flavors});
}

void keep_back_others(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  for (Option& option : cycle.shape_cache(rank).options) {
    if (!keeps_all(cycle, rank, option)) continue;
    if (!cycle.tried.quota_stops(cycle.in, shape, option.flavors, kFleeting, When::later))
      keep_place(cycle, rank, option);
    else cycle.tried.kept_quota.keep(cycle.in.state.claimed, shape, option.flavors, rank);
  }
}

// Whether jobs of the shape wait for machines that will be there, so that they can block backfill.
bool may_keep(Cycle& cycle, ShapeIndex shape) {
  auto& known = cycle.known.shape_caches[shape].may_keep;
  if (!known)
    known = std::ranges::any_of(cycle.known.shape_caches[shape].options, [&](const Option& option) {
      return only_waits(cycle.in, cycle.in.state.shapes[shape], option);
    });
  return *known;
}

// Whether nodes could be made for the shape, some day.
bool may_be_provisioned(Cycle& cycle, ShapeIndex shape) {
  if (!cycle.in.policy.provision_phase) return false;
  auto& known = cycle.known.shape_caches[shape].may_be_provisioned;
  if (!known)
    known = std::ranges::any_of(cycle.known.shape_caches[shape].options, [&](const Option& option) {
      return option.within_max && could_be_provisioned(cycle.in, cycle.in.state.shapes[shape], option.flavors);
    });
  return *known;
}

// Whether another job of the shape could keep anything, once one was refused.
bool may_act(Cycle& cycle, ShapeIndex shape, bool keeps) {
  if (cycle.tried.heads[cycle.in.state.shapes[shape].queue] != kNone) return false;
  return cycle.in.now >= cycle.known.shape_caches[shape].least.aged_at || (keeps && may_reserve(cycle, shape));
}

// Limits and budgets depend on users and on time: with them no finding holds for all jobs of a shape.
void note_idle(Cycle& cycle, ShapeIndex shape, bool waits, bool keeps) {
  ShapeCache& one = cycle.known.shape_caches[shape];
  if (cycle.in.state.budgets.any() || cycle.in.state.limits.any() || !is_refused(cycle.tried, one)) return;
  if (waits && may_act(cycle, shape, keeps)) return;
  const bool ages = waits && cycle.tried.heads[cycle.in.state.shapes[shape].queue] == kNone;
  one.idle = {.epoch = cycle.tried.trial.epoch(), .round = cycle.tried.round, .ages = ages};
}

// The job keeps what it waits for: its reservation, or all that it could use (age.h).
void keep(Cycle& cycle, Rank rank, bool keeps) {
  hold_line(cycle, rank);
  const PendingEntry& entry = cycle.entry(rank);
  if (!is_neglected(cycle.in, entry)) {
    cycle.out.wake_at(is_old(cycle.in, entry) ? neglected_at(cycle.in, entry) : entry.aged_at);
    if (keeps) reserve(cycle, rank);
  }
  if (is_old(cycle.in, entry)) keep_back_others(cycle, rank);
}

}  // namespace

void forget_keepers(Cycle& cycle) {
  forget_expected(cycle);
  if (cycle.tried.kept_nodes.any() || cycle.tried.kept_quota.any()) cycle.tried.trial.outdate();
  cycle.tried.kept_nodes = KeptNodes(cycle.in.state.inventory.rows.size());
  cycle.tried.kept_quota = KeptQuota(cycle.in.state.queue_names.size(), cycle.in.state.inventory.flavor_names.size());
  for (ShapeCache& one : cycle.known.shape_caches)
    for (Option& option : one.options) option.keeps_nodes.reset();
  cycle.tried.reservations.clear();
  cycle.tried.round += 1;
  std::ranges::fill(cycle.tried.reserved, 0);
  std::ranges::fill(cycle.tried.first_short, kNone);
  std::ranges::fill(cycle.tried.heads, kNone);
  cycle.tried.trial.release_claims();
}

bool may_wait(Cycle& cycle, ShapeIndex shape) { return may_keep(cycle, shape) || may_be_provisioned(cycle, shape); }

void hold_line(Cycle& cycle, Rank rank) {
  const QueueIndex queue = cycle.queue_of(rank);
  const Queue* rules = cycle.in.rules[queue];
  if (rules && rules->strict && cycle.tried.heads[queue] == kNone) cycle.tried.heads[queue] = cycle.entry(rank).slot;
}

void refuse(Cycle& cycle, Rank rank) {
  const ShapeIndex shape = cycle.entry(rank).shape;
  const bool keeps = may_keep(cycle, shape), waits = may_wait(cycle, shape);
  if (waits) keep(cycle, rank, keeps);
  note_idle(cycle, shape, waits, keeps);
}

}  // namespace ym::engine
