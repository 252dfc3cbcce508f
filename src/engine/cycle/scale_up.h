// Which of the nodes that are there a gang could use beside new ones of the same flavor.
#pragma once

#include <map>
#include <vector>

#include "engine/placement/together.h"
#include "engine/state/inventory.h"

namespace ym::engine {

// New nodes are alike: in one domain of each level of which they have the labels, and in none of the others. It follows
// no change of the machines.
class ScaleUpCandidates {
 public:
  // Precondition: the flavor is elastic.
  ScaleUpCandidates(const Inventory& inventory, FlavorIndex flavor);

  // Whether new nodes of the flavor are in a domain of each level of which the gang needs one.
  static bool have_domains(const Inventory& inventory, const Node& tentative, const Levels& levels);
  // Whether the node is in the same.
  bool is_near(NodeIndex node, const Levels& levels);
  // Whether a task of such a gang could have it, by itself or once others have ended.
  bool could_serve(NodeIndex node, const GangPart& part, const Levels& levels);
  // Whether there may be so many new ones that, with those that are there, they are enough for the gang.
  bool may_be_enough(const GangNeed& gang);

 private:
  bool is_near(NodeIndex node, LevelIndex level);
  DomainIndex domain_of_new(LevelIndex level) const;
  PartMask served_by(NodeIndex node, const std::vector<GangPart>& parts, const Levels& levels);

  const Inventory& inventory_;
  FlavorIndex flavor_;
  Node fresh_;
  std::map<LevelIndex, DomainIndex> domains_;  // by level, of new nodes; kNone: no node is there in it
};

}  // namespace ym::engine
