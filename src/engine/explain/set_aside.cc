#include "engine/explain/set_aside.h"

#include <algorithm>

#include "engine/cycle/reserve.h"
#include "engine/explain/reasons.h"

namespace ym::engine {

std::optional<Reason> SetAside::find(Rank rank, const std::vector<FlavorIndex>& flavors) {
  if (!cycle_.tried.reservations.windows().any() || flavors.empty()) return std::nullopt;
  const Tenure tenure = tenure_of(cycle_, rank);
  const auto [known, fresh] =
      known_.try_emplace(std::tuple(cycle_.seat(rank).shape, tenure.pass, tenure.until, flavors));
  if (fresh) known->second = look(rank, flavors, tenure);
  return known->second;
}

std::optional<Reason> SetAside::look(Rank rank, const std::vector<FlavorIndex>& flavors, const Tenure& tenure) const {
  const Windows& windows = cycle_.tried.reservations.windows();
  const Inventory& inventory = cycle_.in.state.inventory;
  const GangNeed need = cycle_.shape(rank).need();
  const auto has_room = [&](NodeIndex node) {
    return inventory.in_service(node) && std::ranges::find(flavors, inventory.flavor_of[node]) != flavors.end() &&
           has_room_for_some(inventory, need, node);
  };
  for (const auto* window : windows.all())
    for (const auto& name : window->nodes) {
      const NodeIndex node = inventory.node_names.find(name);
      if (node != kNone && windows.closing(node, tenure.until, tenure.pass) == window && has_room(node))
        return set_aside(cycle_.in, inventory.flavor_of[node], *window);
    }
  return std::nullopt;
}

}  // namespace ym::engine
