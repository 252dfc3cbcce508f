#include "engine/explain/set_aside.h"

#include <algorithm>

#include "engine/cycle/reserve.h"
#include "engine/explain/reasons.h"

namespace ym::engine {

std::optional<Reason> SetAside::find(Rank rank, const std::vector<FlavorIndex>& flavors) {
  if (!tried_.reservations.windows().any() || flavors.empty()) return std::nullopt;
  const Walltime walltime = walltime_of(in_, pending_, tried_, rank);
  const auto [known, tentative] =
      known_.try_emplace(std::tuple(pending_.entry(rank).shape, walltime.pass, walltime.until, flavors));
  if (tentative) known->second = look(rank, flavors, walltime);
  return known->second;
}

std::optional<Reason> SetAside::look(Rank rank, const std::vector<FlavorIndex>& flavors,
                                     const Walltime& walltime) const {
  const AdvanceReservations& windows = tried_.reservations.windows();
  const Inventory& inventory = in_.state.inventory;
  const GangNeed need = shape_of(in_, pending_, rank).need();
  const auto has_room = [&](NodeIndex node) {
    return inventory.in_service(node) && std::ranges::find(flavors, inventory.flavor_of[node]) != flavors.end() &&
           has_room_for_some(inventory, need, node);
  };
  for (const auto* window : windows.all())
    for (const auto& name : window->nodes) {
      const NodeIndex node = inventory.node_names.find(name);
      if (node != kNone && windows.closing(node, walltime.until, walltime.pass) == window && has_room(node))
        return set_aside(in_, inventory.flavor_of[node], *window);
    }
  return std::nullopt;
}

}  // namespace ym::engine
