// Who is admitted, and where; whom the others may not pass.
#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/placement/choose.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

bool quota_stops(const Cycle& cycle, const Shape& shape, Index flavor) {
  return cycle.policy.quota_phase && cycle.kept_quota.stops(cycle.state.quota, shape, flavor);
}

TaskPlacement placement_of(const Inventory& inventory, const Grant& grant, std::size_t task) {
  const Node& node = *inventory.rows[grant.nodes[task]];
  TaskPlacement placed{.task = static_cast<std::int32_t>(task), .node = node.name, .devices = {}};
  for (std::size_t i = 0; i < node.devices.size(); ++i)
    if ((grant.bits[task] >> i & 1U) != 0) placed.devices.push_back(node.devices[i].id);
  return placed;
}

void admit(Cycle& cycle, Rank rank, Index flavor, Choice choice) {
  const Inventory& inventory = cycle.state.inventory;
  Grant grant{.job = cycle.order[rank],
              .flavor = flavor,
              .cluster = choice.nodes.cluster,
              .nodes = std::move(choice.nodes.nodes),
              .bits = std::move(choice.devices)};
  Admission admission{.job = cycle.job(rank).id,
                      .cluster = inventory.cluster_names[grant.cluster],
                      .flavor = inventory.flavor_names[flavor],
                      .placement = {}};
  for (std::size_t task = 0; task < grant.nodes.size(); ++task)
    admission.placement.push_back(placement_of(inventory, grant, task));
  cycle.plan.decisions.emplace_back(std::move(admission));
  cycle.trial.take(std::move(grant));
  cycle.standing[rank] = Standing::admitted;
}

bool try_to_admit(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  for (const Option& option : cycle.case_of(rank).options) {
    if (!option.within_max || quota_stops(cycle, shape, option.flavor)) continue;
    Ground& ground = cycle.ground(shape, option.flavor);
    if (ground.full == cycle.trial.epoch()) continue;
    auto choice = choose(cycle.state.inventory, option.flavor, shape.need(), cycle.kept_nodes.keepers());
    if (!choice) {
      ground.full = cycle.trial.epoch();
      continue;
    }
    admit(cycle, rank, option.flavor, std::move(*choice));
    return true;
  }
  return false;
}

// Each node that the job could use, once others on it have ended.
void keep_nodes(Cycle& cycle, Rank rank, const Option& option) {
  const Inventory& inventory = cycle.state.inventory;
  const GangNeed need = cycle.shape(rank).need();
  const Hardware& hardware = hardware_of(cycle, cycle.shape(rank), option.flavor);
  const auto pools = inventory.pools(option.flavor);
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    if (!hardware.pool_can_serve[pool]) continue;
    for (const Index node : pools[pool].nodes)
      if (inventory.matches(need.rule, node) && inventory.can_serve(node, need.task)) cycle.kept_nodes.keep(node, rank);
  }
}

// Machines are what it lacks. Its quota goes with them, or those behind it in its queue would
// have taken it when the machines are free.
void keep_place(Cycle& cycle, Rank rank, Option& option) {
  if (!option.keeps_nodes) keep_nodes(cycle, rank, option);
  option.keeps_nodes = true;
  const Shape& shape = cycle.shape(rank);
  if (cycle.policy.quota_phase && asks_for_any(cycle.state.quota, shape, option.flavor))
    cycle.trial.claim({.job = cycle.order[rank], .flavor = option.flavor});
}

void keep_back_others(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  for (Option& option : cycle.case_of(rank).options) {
    if (!only_waits(cycle, shape, option)) continue;
    if (quota_stops(cycle, shape, option.flavor)) cycle.kept_quota.keep(cycle.state.quota, shape, option.flavor, rank);
    else keep_place(cycle, rank, option);
  }
}

void refuse(Cycle& cycle, Rank rank) {
  cycle.case_of(rank).refused = cycle.trial.epoch();
  const Instant aged = aged_from(cycle, rank);
  if (cycle.now >= aged) return keep_back_others(cycle, rank);
  const auto keeps_some_day = [&](const Option& option) { return only_waits(cycle, cycle.shape(rank), option); };
  if (std::ranges::any_of(cycle.case_of(rank).options, keeps_some_day)) cycle.wake_at(aged);
}

}  // namespace

void place(Cycle& cycle) {
  if (!cycle.policy.place_phase) return;
  for (Rank rank = 0; rank < cycle.order.size(); ++rank) {
    if (cycle.standing[rank] != Standing::open) continue;
    const bool refused_already = cycle.case_of(rank).refused == cycle.trial.epoch();
    if (refused_already || !try_to_admit(cycle, rank)) refuse(cycle, rank);
  }
}

}  // namespace ym::engine
