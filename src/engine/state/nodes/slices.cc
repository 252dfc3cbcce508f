#include "engine/state/nodes/slices.h"

namespace ym::engine {

std::size_t usable(const Topology& topology, const Levels& levels, std::span<const NodeIndex> nodes) {
  if (levels.slice == kNone) return nodes.size();
  std::map<DomainIndex, std::size_t> in_domain;
  for (const NodeIndex node : nodes)
    if (const DomainIndex domain = topology.domain(levels.slice, node); domain != kNone) in_domain[domain] += 1;
  std::size_t whole = 0;
  for (const auto& [domain, count] : in_domain) whole += count / levels.slice_nodes * levels.slice_nodes;
  return whole;
}

}  // namespace ym::engine
