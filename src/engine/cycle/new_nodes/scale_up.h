// Scale-up candidates: which existing nodes a gang could use beside new ones of the same flavor.
#pragma once

#include <map>
#include <vector>

#include "engine/placement/together.h"
#include "engine/state/nodes/inventory.h"

namespace ym::engine {

// New nodes are alike. In each level for which they have the labels they are in one domain, in other levels in none. It
// does not follow changes of the machines.
class ScaleUpCandidates {
 public:
  // Precondition: the flavor is elastic.
  ScaleUpCandidates(const Inventory& inventory, FlavorIndex flavor);

  // Whether new nodes of the flavor are in a domain of each level that the gang requires.
  static bool have_domains(const Inventory& inventory, const Node& tentative, const Levels& levels);
  // Whether the node is in the same domains as new nodes.
  bool is_near(NodeIndex node, const Levels& levels);
  // Whether a task of such a gang could use the node, now or once other jobs have ended.
  bool could_serve(NodeIndex node, const GangPart& part, const Levels& levels);
  // Whether new nodes, up to the flavor's maximum, and the existing ones are enough for the gang.
  bool may_be_enough(const GangNeed& gang);

 private:
  bool is_near(NodeIndex node, LevelIndex level);
  DomainIndex domain_of_new(LevelIndex level) const;
  PartMask served_by(NodeIndex node, const IndexedVector<PartIndex, GangPart>& parts, const Levels& levels);

  const Inventory& inventory_;
  FlavorIndex flavor_;
  Node fresh_;
  std::map<LevelIndex, DomainIndex> domains_;  // domain of new nodes by level; kNone: no existing node is in it
};

}  // namespace ym::engine
