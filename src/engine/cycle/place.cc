// Who is admitted, and where; whom the others may not pass.
#include "engine/cycle/cycle.h"
#include "engine/placement/best_fit.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Whether quota stands in the way now: it does not suffice, or somebody ahead keeps it.
bool quota_stops(const Cycle& cycle, const Shape& shape, Index flavor) {
  if (!cycle.policy.quota_phase) return false;
  const QuotaTree& tree = cycle.state.quota;
  if (short_now(tree, shape, flavor)) return true;
  const bool borrows = would_borrow(tree, shape, flavor);
  return cycle.passing.quota_keeper(shape.queue, tree.root(shape.queue), flavor, borrows) != kNone;
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
  const NodeNeed need = NodeNeed::of(cycle.shape(rank).task);
  Grant grant{.job = cycle.order[rank],
              .flavor = flavor,
              .cluster = choice.cluster,
              .nodes = std::move(choice.nodes),
              .bits = {}};
  for (const Index node : grant.nodes) grant.bits.push_back(lowest_devices(inventory.free_devices(node), need.devices));
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
    if (ground.full) continue;
    auto choice = best_fit(cycle.state.inventory, option.flavor, shape.need(), cycle.passing.node_keepers());
    ground.full = !choice;
    if (!choice) continue;
    admit(cycle, rank, option.flavor, std::move(*choice));
    return true;
  }
  return false;
}

void keep_nodes(Cycle& cycle, Rank rank, const Option& option) {
  const Inventory& inventory = cycle.state.inventory;
  const GangNeed need = cycle.shape(rank).need();
  const Hardware& hardware = hardware_of(cycle, cycle.shape(rank), option.flavor);
  const auto pools = inventory.pools(option.flavor);
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    if (!hardware.pool_is_large[pool]) continue;
    for (const Index node : pools[pool].nodes)
      if (inventory.matches(need.rule, node) && inventory.large_enough(node, need.task))
        cycle.passing.keep_node(node, rank);
  }
}

void keep_quota(Cycle& cycle, Rank rank, Option& option) {
  const Shape& shape = cycle.shape(rank);
  const QuotaTree& tree = cycle.state.quota;
  if (!option.keeps_quota) cycle.passing.keep_quota(shape.queue, option.flavor, rank);
  option.keeps_quota = true;
  if (option.keeps_borrowing || !cohort_is_short(tree, shape, option.flavor)) return;
  cycle.passing.keep_borrowing(tree.root(shape.queue), option.flavor, rank);
  option.keeps_borrowing = true;
}

// Keeps what an aged job lacks from those behind it. What one of its shape keeps already
// is not kept again.
void keep_back_others(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  for (Option& option : cycle.case_of(rank).options) {
    if (!feasible(cycle, shape, option)) continue;
    if (option.keeps_quota || quota_stops(cycle, shape, option.flavor)) {
      keep_quota(cycle, rank, option);
    } else if (!option.keeps_nodes) {
      keep_nodes(cycle, rank, option);
      option.keeps_nodes = true;
    }
  }
}

bool can_ever_run(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  return std::ranges::any_of(cycle.case_of(rank).options,
                             [&](const Option& option) { return feasible(cycle, shape, option); });
}

void refuse(Cycle& cycle, Rank rank) {
  cycle.case_of(rank).refused = true;
  const Instant aged = aged_from(cycle, rank);
  if (cycle.now >= aged) keep_back_others(cycle, rank);
  else if (can_ever_run(cycle, rank)) cycle.wake_at(aged);
}

}  // namespace

void place(Cycle& cycle) {
  if (!cycle.policy.place_phase) return;
  for (Rank rank = 0; rank < cycle.order.size(); ++rank) {
    if (cycle.standing[rank] != Standing::open) continue;
    if (cycle.case_of(rank).refused || !try_to_admit(cycle, rank)) refuse(cycle, rank);
  }
}

}  // namespace ym::engine
