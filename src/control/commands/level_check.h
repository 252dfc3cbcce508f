// Checks that a level in a job's spec is one of the topology.
#pragma once

#include <optional>
#include <string>

#include "model/tables.h"

namespace ym {

// The problem with the level. Nothing: a node has it as a label, a cluster names it, or it is empty. This check bounds
// the number of levels that the engine keeps.
std::optional<std::string> level_problem(const Tables& tables, const std::string& level);

}  // namespace ym
