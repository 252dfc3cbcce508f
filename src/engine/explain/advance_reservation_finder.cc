#include "engine/explain/advance_reservation_finder.h"

#include <algorithm>

#include "engine/cycle/reserve.h"
#include "engine/explain/reasons.h"

namespace ym::engine {

std::optional<Reason> AdvanceReservationFinder::find(Rank rank, const std::vector<FlavorIndex>& flavors) {
  if (!tried_.reservations.advance_reservations().any() || flavors.empty()) return std::nullopt;
  const Walltime walltime = walltime_of(in_, pending_, tried_, rank);
  const auto [known, tentative] =
      known_.try_emplace(std::tuple(pending_.entry(rank).shape, walltime.pass, walltime.until, flavors));
  if (tentative) known->second = look(rank, flavors, walltime);
  return known->second;
}

std::optional<Reason> AdvanceReservationFinder::look(Rank rank, const std::vector<FlavorIndex>& flavors,
                                                     const Walltime& walltime) const {
  const AdvanceReservations& advance_reservations = tried_.reservations.advance_reservations();
  const Inventory& inventory = in_.state.inventory;
  const GangNeed need = shape_of(in_, pending_, rank).need();
  const auto has_room = [&](NodeIndex node) {
    return inventory.in_service(node) && std::ranges::find(flavors, inventory.flavor_of[node]) != flavors.end() &&
           has_room_for_some(inventory, need, node);
  };
  for (const auto* reservation : advance_reservations.all())
    for (const auto& name : reservation->nodes) {
      const NodeIndex node = inventory.node_names.find(name);
      if (node != kNone && advance_reservations.closing(node, walltime.until, walltime.pass) == reservation &&
          has_room(node))
        return in_advance_reservation(in_, inventory.flavor_of[node], *reservation);
    }
  return std::nullopt;
}

}  // namespace ym::engine
