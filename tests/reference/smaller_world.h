// What is left of a world in which the engine and the reference differ, when all is taken out of it that does not
// matter.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

using Differs = std::function<bool(const Tables&)>;

struct SmallerWorld {
  Tables tables;
  std::vector<std::string> rows;  // what is left of jobs, nodes, queues and reservations: "node n1"
};

// RapidCheck's search for a smaller failure: nothing that is left can be taken out alone. Precondition: these differ.
SmallerWorld smaller_world(const Tables& tables, const Differs& differs);

}  // namespace ym::reference
