#include "engine/cycle/new_nodes/scale_up.h"

#include <algorithm>

namespace ym::engine {

ScaleUpCandidates::ScaleUpCandidates(const Inventory& inventory, FlavorIndex flavor)
    : inventory_(inventory), flavor_(flavor), fresh_(inventory.elastic(flavor)->elastic->node) {
  fresh_.cluster = inventory.elastic(flavor)->cluster;
}

bool ScaleUpCandidates::have_domains(const Inventory& inventory, const Node& tentative, const Levels& levels) {
  const auto has = [&](LevelIndex level) { return level == kNone || inventory.topology.path(tentative, level); };
  return has(levels.required) && has(levels.slice);
}

bool ScaleUpCandidates::is_near(NodeIndex node, const Levels& levels) {
  return is_near(node, levels.required) && is_near(node, levels.slice);
}

bool ScaleUpCandidates::is_near(NodeIndex node, LevelIndex level) {
  if (level == kNone) return true;
  const auto [known, is_first] = domains_.try_emplace(level, kNone);
  if (is_first) known->second = domain_of_new(level);
  return known->second != kNone && inventory_.topology.domain(level, node) == known->second;
}

DomainIndex ScaleUpCandidates::domain_of_new(LevelIndex level) const {
  const auto path = inventory_.topology.path(fresh_, level);
  if (!path) return kNone;
  for (const Pool& pool : inventory_.pools(flavor_))
    for (const NodeIndex node : pool.nodes)
      if (inventory_.topology.path(*inventory_.rows[node], level) == path)
        return inventory_.topology.domain(level, node);
  return kNone;
}

bool ScaleUpCandidates::could_serve(NodeIndex node, const GangPart& part, const Levels& levels) {
  if (!inventory_.matches(part.rule, node) || !is_near(node, levels)) return false;
  // A full node stays so until jobs on it end.
  const bool is_full = inventory_.rows[node]->full && inventory_.rows[node]->schedulable;
  return is_full ? inventory_.large_enough(node, part.task) : inventory_.can_serve(node, part.task);
}

bool ScaleUpCandidates::may_be_enough(const GangNeed& gang) {
  auto parts = gang.parts;
  if (parts.empty()) parts.push_back(gang);
  std::vector<std::int64_t> nodes(std::size_t{1} << parts.size());  // by mask of the parts that could use the node
  std::int64_t tentative = inventory_.elastic(flavor_)->elastic->max_nodes;
  for (const Pool& pool : inventory_.pools(flavor_))
    for (const NodeIndex node : pool.nodes) {
      tentative -= inventory_.rows[node]->is_there() ? 1 : 0;
      nodes[served_by(node, parts, gang.levels)] += 1;
    }
  nodes.back() += std::max<std::int64_t>(0, tentative);
  IndexedVector<PartBit, std::size_t> wanted;
  for (const GangPart& part : parts) wanted.push_back(part.nodes);
  Together together(wanted);
  for (PartMask could = 1; could < nodes.size(); ++could) together.add(could, nodes[could]);
  return together.is_enough();
}

PartMask ScaleUpCandidates::served_by(NodeIndex node, const IndexedVector<PartIndex, GangPart>& parts,
                                      const Levels& levels) {
  PartMask served = 0;
  for (const PartIndex part : parts.indices())
    if (could_serve(node, parts[part], levels)) served |= mask_of(bit_of(part));
  return served;
}

}  // namespace ym::engine
