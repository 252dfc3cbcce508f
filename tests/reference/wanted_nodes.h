// How many nodes of each elastic flavor there are to be, counted the obvious way: who waits is gone through in order,
// with boxes for nodes, and all that is used looked up in the tables.
//
// For gangs of tasks that are alike and want whole GPUs, without levels of the topology; where nobody leaves, and
// nobody is promised or keeps anything.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

struct Wanted {
  std::map<std::string, std::int64_t> nodes;  // by elastic flavor; 0: none has to be made
  std::map<JobId, std::string> told;          // who waits for new nodes, and of which flavor
};

// `waiting`: in the order of consideration.
Wanted wanted_nodes(const Tables& tables, const std::vector<JobId>& waiting);

}  // namespace ym::reference
