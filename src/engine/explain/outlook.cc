#include "engine/explain/outlook.h"

#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/cycle/new_nodes/provision.h"
#include "engine/explain/never.h"

namespace ym::engine {
namespace {

// Whether the flavor's cluster runs containers; if the flavor names no cluster, whether any cluster does.
bool has_containers(const Inventory& inventory, FlavorIndex flavor) {
  const auto row = inventory.flavor_rows().find(inventory.flavor_names[flavor]);
  return inventory.has_containers(row == inventory.flavor_rows().end() ? "" : row->second.cluster);
}

bool has_containers(const Inventory& inventory, const Option& option) {
  return std::ranges::all_of(option.flavors.each(),
                             [&](FlavorIndex flavor) { return has_containers(inventory, flavor); });
}

Outlook find_outlook(const Inputs& in, const Shape& shape, const std::vector<Option>& options, bool names_image) {
  const Inventory& inventory = in.state.inventory;
  Outlook outlook;
  outlook.needs_containers = names_image && std::ranges::none_of(options, [&](const Option& option) {
                               return has_containers(inventory, option);
                             });
  const bool possible = std::ranges::any_of(options, [&](const Option& option) {
    return feasible(in, shape, option) || (option.within_max && could_be_provisioned(in, shape, option.flavors));
  });
  if (!possible) outlook.never = never_reasons(in, shape, options);
  return outlook;
}

// As in a cycle, but other jobs are not looked at.
std::vector<Outlook> find_outlooks(State::Impl& state, const std::vector<ShapeIndex>& shapes,
                                   std::span<const JobInQueue> candidates, Instant now) {
  const Policy policy;
  Cycle cycle(state, policy, now);
  for (const ShapeIndex shape : shapes) cycle.known.shape_caches[shape].open = true;
  quota(cycle.in, cycle.known);
  std::vector<Outlook> outlooks;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    outlooks.push_back(find_outlook(cycle.in, state.shapes[shapes[i]], cycle.known.shape_caches[shapes[i]].options,
                                    !candidates[i].spec.image.empty()));
  return outlooks;
}

}  // namespace

std::vector<Outlook> outlooks_of(const State& state, std::span<const JobInQueue> candidates, Instant now) {
  State::Impl& scratch = state.scratch();
  std::vector<ShapeIndex> shapes;
  for (const auto& [spec, queue] : candidates) shapes.push_back(scratch.shape_for(spec, queue));
  // A shape may name levels that no job has named before: refresh() finds their domains.
  scratch.refresh();
  auto outlooks = find_outlooks(scratch, shapes, candidates, now);
  for (const ShapeIndex shape : shapes) scratch.release_shape(shape);
  return outlooks;
}

}  // namespace ym::engine
