// The order of a gang's tasks.
#pragma once

#include <vector>

#include "reference/machines.h"

namespace ym::reference {

// Orders nodes of one cluster for like tasks of a gang: level by level of the cluster, nodes of one domain together,
// then by name. The domain of `before` is first (the node of the task before them; null: there is none). Then nodes of
// one domain of the level that the gang has slices in, or else prefers.
std::vector<const Node*> by_task(const Tables& tables, const Machines& machines, const Job& job,
                                 std::vector<const Node*> nodes, const Node* before);

}  // namespace ym::reference
