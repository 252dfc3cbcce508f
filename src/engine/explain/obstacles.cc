#include "engine/explain/obstacles.h"

#include <utility>

#include "engine/cycle/new_nodes/provision.h"
#include "engine/explain/machine_reasons.h"
#include "engine/explain/reasons.h"
#include "engine/quota/demand.h"

namespace ym::engine {

ObstacleFinder::ObstacleFinder(const Cycle& cycle, Answers& told, const QuotaKeepers& keepers)
    : cycle_(cycle),
      told_(told),
      keepers_(keepers),
      machines_(cycle.in.state.needs.size(), cycle.in.state.inventory.flavor_names.size()),
      lent_out_(cycle) {
  if (cycle.in.policy.place_phase) free_.emplace(cycle.in);
}

std::vector<Obstacles> ObstacleFinder::find(Rank rank) {
  std::vector<Obstacles> all;
  const Shape& shape = cycle_.shape(rank);
  for (const Option& option : cycle_.shape_cache(rank).options) {
    const bool possible = cycle_.in.policy.place_phase ? feasible(cycle_.in, shape, option) : option.within_max;
    if (possible) all.push_back(of_option(rank, option.flavors));
  }
  if (!all.empty()) return all;
  for (const Option& option : cycle_.shape_cache(rank).options)
    if (auto found = of_new_nodes(rank, option)) all.push_back(*found);
  return all;
}

Obstacles ObstacleFinder::of_option(Rank rank, const Flavors& flavors) {
  Obstacles found{.flavors = flavors, .quota = {}, .capacity = {}};
  const Shape& shape = cycle_.shape(rank);
  if (cycle_.in.policy.quota_phase) find_quota(found, shape, rank);
  if (cycle_.in.policy.place_phase) find_machines(found, shape);
  if (!found.quota && found.capacity) say_what_is_lent(found, rank);
  return found;
}

// Quota with reservations comes first: that leaving jobs still use quota is over soon.
void ObstacleFinder::find_quota(Obstacles& found, const Shape& shape, Rank rank) {
  for (const QuotaTree* quota : {&cycle_.in.state.quota, &cycle_.in.state.in_use}) {
    const auto shortage = short_now(*quota, shape, found.flavors);
    if (!shortage) continue;
    Reason reason = waiting_for_quota(cycle_.in, *quota, *shortage);
    add_what_is_lent(reason, rank, found);
    found.quota = told_.add(std::move(reason));
    break;
  }
  found.quota_keeper = keepers_.first(shape, found.flavors);
}

void ObstacleFinder::find_machines(Obstacles& found, const Shape& shape) {
  const Flavors& flavors = found.flavors;
  for (const PartIndex i : indices<PartIndex>(shape.parts(flavors))) {
    const Shape part = shape.part(flavors, i);
    const FlavorIndex flavor = flavors.of(i);
    auto& machines = machines_[part.need_index, flavor];
    if (!machines) machines = machine_obstacles(part, flavor);
    if (!found.capacity) found.capacity = machines->capacity;
    found.node_keeper = std::min(found.node_keeper, machines->keeper);
  }
  if (flavors.is_mix() && !found.capacity && !has_room_together(cycle_.in, cycle_.tried, shape, flavors))
    found.capacity = told_.add(not_together(cycle_.in, shape, flavors));
}

ObstacleFinder::MachineObstacles ObstacleFinder::machine_obstacles(const Shape& part, FlavorIndex flavor) {
  MachineObstacles found{.capacity = {}, .keeper = node_keeper(cycle_.in, cycle_.tried, part, flavor)};
  const CapacityFinding finding = free_->find(part, flavor);
  if (finding.lack != Lack::nothing) found.capacity = told_.add(lacking(cycle_.in, part, flavor, finding));
  return found;
}

// There are no nodes for it, but some could be made.
std::optional<Obstacles> ObstacleFinder::of_new_nodes(Rank rank, const Option& option) {
  const Shape& shape = cycle_.shape(rank);
  if (!cycle_.in.policy.place_phase || !option.within_max || !could_be_provisioned(cycle_.in, shape, option.flavors))
    return std::nullopt;
  Obstacles found{
      .flavors = option.flavors, .quota = {}, .capacity = told_.add(not_there_yet(cycle_.in, shape, option.flavors))};
  if (!cycle_.in.policy.quota_phase) return found;
  if (const auto shortage = short_now(cycle_.in.state.quota, shape, option.flavors))
    found.quota = told_.add(waiting_for_quota(cycle_.in, cycle_.in.state.quota, *shortage));
  found.quota_keeper = keepers_.first(shape, option.flavors);
  return found;
}

bool ObstacleFinder::add_what_is_lent(Reason& reason, Rank rank, Obstacles& found) {
  if (!lent_out_.add_to(reason, rank, found.flavors)) return false;
  found.by_priority = cycle_.in.rules[cycle_.queue_of(rank)]->reclaim == PreemptRule::lower_priority;
  return true;
}

// Makes a new reason, as jobs of other queues share the one about machines.
void ObstacleFinder::say_what_is_lent(Obstacles& found, Rank rank) {
  const ReasonCode code = told_.at(*found.capacity).code();
  if (code != ReasonCode::waiting_for_capacity && code != ReasonCode::fragmented) return;
  Reason reason = told_.at(*found.capacity);
  if (add_what_is_lent(reason, rank, found)) found.capacity = told_.add(std::move(reason));
}

}  // namespace ym::engine
