#include "papers/placement/type_costs.h"

#include <algorithm>

namespace ym::sim::placement {

TypeCosts type_costs(const PodList& list, const Fleet& fleet, std::int64_t cost_milli) {
  TypeCosts costs;
  for (std::size_t t = 0; t < fleet.types.size(); ++t) {
    double pressure = 0;
    for (std::size_t i = 0; i < list.shapes.size(); ++i) {
      const Shape& shape = list.shapes[i];
      if (shape.types == ~0U || (shape.types >> t & 1U) == 0) continue;
      std::int64_t named = 0;
      for (const Room& room : fleet.rooms) named += (room.type & shape.types) != 0 ? room.idle_milli() : 0;
      pressure += static_cast<double>(list.count[i] * shape.total_milli()) / static_cast<double>(named);
    }
    if (pressure > 0)
      costs[fleet.types[t]] = static_cast<std::int64_t>(static_cast<double>(cost_milli) * std::min(1.0, pressure));
  }
  return costs;
}

std::vector<std::int64_t> node_costs(const TypeCosts& costs, const Fleet& fleet) {
  std::vector<std::int64_t> by_node(fleet.rooms.size());
  for (std::size_t t = 0; t < fleet.types.size(); ++t) {
    const auto found = costs.find(fleet.types[t]);
    for (std::size_t node = 0; node < by_node.size(); ++node)
      if (found != costs.end() && fleet.rooms[node].type == 1U << t) by_node[node] = found->second;
  }
  return by_node;
}

}  // namespace ym::sim::placement
