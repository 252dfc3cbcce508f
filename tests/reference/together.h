// Parts of a gang that look for nodes among the same ones. Each task has its own node.
#pragma once

#include <cstddef>
#include <vector>

#include "model/cluster.h"

namespace ym::reference {

// A part, and the nodes that it could have, the best first.
struct PartSearch {
  std::size_t wanted = 0;
  std::vector<const Node*> nodes;
};

// Whether all parts find enough nodes.
bool are_enough(const std::vector<PartSearch>& parts);
// What each part gets: part by part the first nodes that leave enough for the others. Precondition: there are enough.
std::vector<std::vector<const Node*>> choose_together(std::vector<PartSearch> parts);

}  // namespace ym::reference
