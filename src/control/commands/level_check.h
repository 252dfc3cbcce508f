// Whether a level that a job asks for is one of the topology.
#pragma once

#include <optional>
#include <string>

#include "model/tables.h"

namespace ym {

// What is wrong with it; nothing: a node has it as a label, or a cluster names it, or it is empty. So the levels
// that the engine keeps are bounded by what machines there are.
std::optional<std::string> level_problem(const Tables& tables, const std::string& level);

}  // namespace ym
