// Which devices an attempt has that was found again where the cluster itself chose them.
#pragma once

#include <string>
#include <vector>

#include "model/tables.h"

namespace ym {

// For each task that names none: those of its node that no live attempt has, as many as the spec asks for; beyond
// these any, as the cluster knows better than the tables. They are names for our books alone: such a cluster gives
// out its own. Precondition: all nodes are in the tables.
void choose_devices(const Tables& tables, const JobSpec& spec, std::vector<TaskPlacement>& placement);

// What an attempt of the spec on these nodes is charged to, as the engine names it (model/flavor_mix.h). Precondition:
// all nodes are in the tables.
std::string flavors_of(const Tables& tables, const JobSpec& spec, const std::vector<TaskPlacement>& placement);

}  // namespace ym
