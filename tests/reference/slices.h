// Gangs with slices: each N of their nodes have to be in one domain.
#pragma once

#include <vector>

#include "reference/machines.h"

namespace ym::reference {

// The nodes that make up whole slices, slice by slice, in the order in which slices become complete when one goes
// through the nodes. All nodes, for a job without slices.
std::vector<const Node*> in_slices(const Machines& machines, const Job& job, const std::vector<const Node*>& nodes);

// Whether the tasks of the placement are in whole slices.
bool are_in_slices(const Machines& machines, const Job& job, const std::vector<const Node*>& by_task);

}  // namespace ym::reference
