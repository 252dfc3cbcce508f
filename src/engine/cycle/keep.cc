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

// The job that keeps nodes. With Beside::new_ones nodes are made for it too, so pools count that are too small by
// themselves.
enum class Beside : std::uint8_t { nothing, new_ones };
struct NodeKeeper {
  Rank rank;
  Walltime walltime;
  Beside beside = Beside::nothing;
};

// Keeps each node that a part of the job could use now if other jobs on it had ended.
void keep_nodes(const Inputs& in, Tried& tried, const NodeKeeper& job, const Shape& part, FlavorIndex flavor) {
  const Inventory& inventory = in.state.inventory;
  const GangNeed need = part.need();
  const Hardware& hardware = hardware_of(in, part, flavor);
  const AdvanceReservations& advance_reservations = tried.reservations.advance_reservations();
  std::optional<ScaleUpCandidates> tentative;
  if (job.beside == Beside::new_ones) tentative.emplace(inventory, flavor);
  const auto could_use = [&](NodeIndex node) {
    return inventory.matches(need.rule, node) && inventory.can_serve(node, need.task) &&
           (!tentative || tentative->is_near(node, need.levels)) &&
           !advance_reservations.closing(node, job.walltime.until, job.walltime.pass);
  };
  const auto pools = job.beside == Beside::nothing ? inventory.pools(flavor, need.levels) : inventory.pools(flavor);
  for (const PoolIndex pool : pools.indices()) {
    if (job.beside == Beside::nothing && !hardware.pool_can_serve[pool]) continue;
    for (const NodeIndex node : pools[pool].nodes)
      if (could_use(node)) tried.kept_nodes.keep(inventory, node, job.rank, need.task);
  }
}

// The job lacks machines. It claims its quota too, or jobs behind it in its queue would have that quota when the
// machines are free.
void keep_place(const Inputs& in, const PendingEntries& pending, Tried& tried, Rank rank, Option& option) {
  const Walltime walltime = walltime_of(in, pending, tried, rank);
  // Without advance reservations all jobs of the shape could use the same nodes.
  const auto could_use_others = [&] {
    return tried.reservations.advance_reservations().any() &&
           (option.keeps_nodes->pass != walltime.pass || option.keeps_nodes->until > walltime.until);
  };
  const Shape& shape = shape_of(in, pending, rank);
  if (!option.keeps_nodes || could_use_others()) {
    const NodeKeeper job{.rank = rank,
                         .walltime = walltime,
                         .beside = only_waits(in, shape, option) ? Beside::nothing : Beside::new_ones};
    for (const PartIndex part : indices<PartIndex>(shape.parts(option.flavors)))
      keep_nodes(in, tried, job, shape.part(option.flavors, part), option.flavors.of(part));
    option.keeps_nodes = walltime;
  }
  if (in.policy.quota_phase && asks_for_any(in.state.quota, shape, option.flavors))
    tried.trial.claim({.job = pending.entry(rank).slot, .flavors = option.flavors});
}

void keep_back_others(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  for (Option& option : cycle.shape_cache(rank).options) {
    if (!keeps_all(cycle, rank, option)) continue;
    if (!cycle.tried.quota_stops(cycle.in, shape, option.flavors, kFleeting, When::later))
      keep_place(cycle.in, cycle.pending, cycle.tried, rank, option);
    else cycle.tried.kept_quota.keep(cycle.in.state.claimed, shape, option.flavors, rank);
  }
}

// Whether jobs of the shape wait for machines that will be there, so that they can block backfill.
bool may_keep(const Inputs& in, Findings& known, ShapeIndex shape) {
  auto& may = known.shape_caches[shape].may_keep;
  if (!may)
    may = std::ranges::any_of(known.shape_caches[shape].options,
                              [&](const Option& option) { return only_waits(in, in.state.shapes[shape], option); });
  return *may;
}

// Whether nodes could be made for the shape, some day.
bool may_be_provisioned(const Inputs& in, Findings& known, ShapeIndex shape) {
  if (!in.policy.provision_phase) return false;
  auto& may = known.shape_caches[shape].may_be_provisioned;
  if (!may)
    may = std::ranges::any_of(known.shape_caches[shape].options, [&](const Option& option) {
      return option.within_max && could_be_provisioned(in, in.state.shapes[shape], option.flavors);
    });
  return *may;
}

// Whether another job of the shape could keep anything, once one was refused.
bool may_act(const Inputs& in, const Tried& tried, const Findings& known, ShapeIndex shape, bool keeps) {
  if (tried.heads[in.state.shapes[shape].queue] != kNone) return false;
  return in.now >= known.shape_caches[shape].least.aged_at || (keeps && may_reserve(in, tried, known, shape));
}

// Limits and budgets depend on users and on time: with them no finding holds for all jobs of a shape.
void note_idle(const Inputs& in, const Tried& tried, Findings& known, ShapeIndex shape) {
  ShapeCache& one = known.shape_caches[shape];
  if (in.state.budgets.any() || in.state.limits.any() || !is_refused(tried, one)) return;
  const bool keeps = may_keep(in, known, shape), waits = may_wait(in, known, shape);
  if (waits && may_act(in, tried, known, shape, keeps)) return;
  const bool ages = waits && tried.heads[in.state.shapes[shape].queue] == kNone;
  one.idle = {.epoch = tried.trial.epoch(), .round = tried.round, .ages = ages};
}

// The job keeps what it waits for: its reservation, or all that it could use (age.h).
void keep(Cycle& cycle, Rank rank, bool keeps) {
  block_jobs_behind(cycle.in, cycle.pending, cycle.tried, rank);
  const PendingEntry& entry = cycle.entry(rank);
  if (!is_neglected(cycle.in, entry)) {
    cycle.out.wake_at(is_old(cycle.in, entry) ? neglected_at(cycle.in, entry) : entry.aged_at);
    if (keeps) reserve(cycle, rank);
  }
  if (is_old(cycle.in, entry)) keep_back_others(cycle, rank);
}

}  // namespace

void forget_keepers(const Inputs& in, Tried& tried, Findings& known) {
  forget_expected(tried, known);
  if (tried.kept_nodes.any() || tried.kept_quota.any()) tried.trial.outdate();
  tried.kept_nodes = KeptNodes(in.state.inventory.rows.size());
  tried.kept_quota = KeptQuota(in.state.queue_names.size(), in.state.inventory.flavor_names.size());
  for (ShapeCache& one : known.shape_caches)
    for (Option& option : one.options) option.keeps_nodes.reset();
  tried.reservations.clear();
  tried.round += 1;
  std::ranges::fill(tried.reserved, 0);
  std::ranges::fill(tried.first_short, kNone);
  std::ranges::fill(tried.heads, kNone);
  tried.trial.release_claims();
}

bool may_wait(const Inputs& in, Findings& known, ShapeIndex shape) {
  return may_keep(in, known, shape) || may_be_provisioned(in, known, shape);
}

void block_jobs_behind(const Inputs& in, const PendingEntries& pending, Tried& tried, Rank rank) {
  const QueueIndex queue = pending.entry(rank).queue;
  const Queue* rules = in.rules[queue];
  if (rules && rules->strict && tried.heads[queue] == kNone) tried.heads[queue] = pending.entry(rank).slot;
}

void refuse(Cycle& cycle, Rank rank) {
  const ShapeIndex shape = cycle.entry(rank).shape;
  if (may_wait(cycle.in, cycle.known, shape)) keep(cycle, rank, may_keep(cycle.in, cycle.known, shape));
  note_idle(cycle.in, cycle.tried, cycle.known, shape);
}

}  // namespace ym::engine
