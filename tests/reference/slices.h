// Gangs of which each so many nodes have to be in one domain.
#pragma once

#include <vector>

#include "reference/machines.h"

namespace ym::reference {

// Those of the nodes that make up whole slices, as these are complete first when the nodes are gone through in their
// order; slice by slice. All, for a job that asks for none.
std::vector<const Node*> in_slices(const Machines& machines, const Job& job, const std::vector<const Node*>& nodes);

// Whether the tasks of the placement are.
bool are_in_slices(const Machines& machines, const Job& job, const std::vector<const Node*>& by_task);

}  // namespace ym::reference
