#include "engine/explain/beforehand.h"

#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/cycle/provide.h"
#include "engine/explain/never.h"

namespace ym::engine {
namespace {

// Of the cluster that the flavor names; of any, where it names none.
bool has_containers(const Inventory& inventory, Index flavor) {
  const auto row = inventory.flavor_rows().find(inventory.flavor_names[flavor]);
  return inventory.has_containers(row == inventory.flavor_rows().end() ? "" : row->second.cluster);
}

bool has_containers(const Inventory& inventory, const Option& option) {
  return std::ranges::all_of(option.flavors.each(), [&](Index flavor) { return has_containers(inventory, flavor); });
}

// As in a cycle, whose other jobs are not looked at.
Outlook find_outlook(State::Impl& state, Index shape_index, bool names_image, Instant now) {
  const Policy policy;
  Cycle cycle(state, policy, now);
  cycle.cases[shape_index].open = true;
  quota(cycle);
  const Shape& shape = state.shapes[shape_index];
  const std::vector<Option>& options = cycle.cases[shape_index].options;
  Outlook outlook;
  outlook.needs_containers = names_image && std::ranges::none_of(options, [&](const Option& option) {
                               return has_containers(state.inventory, option);
                             });
  const bool possible = std::ranges::any_of(options, [&](const Option& option) {
    return feasible(cycle, shape, option) || (option.within_max && could_be_provided(cycle, shape, option.flavors));
  });
  if (!possible) outlook.never = never_reasons(cycle, shape, options);
  return outlook;
}

}  // namespace

Outlook outlook_of(const State& state, const JobSpec& spec, const std::string& queue, Instant now) {
  const Index shape = state.scratch().shape_for(spec, queue);
  // Levels that were not known before are by now.
  State::Impl& scratch = state.scratch();
  Outlook outlook = find_outlook(scratch, shape, !spec.image.empty(), now);
  scratch.release_shape(shape);
  return outlook;
}

}  // namespace ym::engine
