// The smallest part of a world in which the engine and the reference still differ.
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

// RapidCheck's search for a smaller failure: no single remaining row can be removed. Precondition: these tables differ.
SmallerWorld smaller_world(const Tables& tables, const Differs& differs);

}  // namespace ym::reference
