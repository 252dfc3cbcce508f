// The wanted number of nodes of each elastic flavor, counted in a simple way: it goes through the waiting jobs in
// order, with boxes for nodes, and looks up all usage in the tables.
//
// For gangs of like tasks that want whole GPUs, without topology levels; without stopping jobs, reservations or aged
// jobs.
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
