// Parts of a gang that look for nodes among the same: each task has a node of its own.
#pragma once

#include <cstddef>
#include <vector>

#include "model/cluster.h"

namespace ym::reference {

// A part, and the nodes that it could have, those that it likes best first.
struct Seeker {
  std::size_t wanted = 0;
  std::vector<const Node*> nodes;
};

// Whether all of them find so many.
bool are_enough(const std::vector<Seeker>& parts);
// What each gets: part by part the first that leave enough to the others. Precondition: there are enough.
std::vector<std::vector<const Node*>> choose_together(std::vector<Seeker> parts);

}  // namespace ym::reference
