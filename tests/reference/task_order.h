// The order of a gang's tasks.
#pragma once

#include <vector>

#include "reference/machines.h"

namespace ym::reference {

// Nodes of one cluster, on which tasks of a gang go that are alike: level by level of the cluster those of one domain
// together, by name, the domain of `before` first (the node of the task before them; null: there is none); then those
// of one domain of the level that the gang has slices in, or else prefers.
std::vector<const Node*> by_task(const Tables& tables, const Machines& machines, const Job& job,
                                 std::vector<const Node*> nodes, const Node* before);

}  // namespace ym::reference
