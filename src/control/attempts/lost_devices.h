// Devices of an adopted attempt on a cluster that chooses devices itself.
#pragma once

#include <string>
#include <vector>

#include "model/tables.h"

namespace ym {

// Chooses devices for each task that names none: as many as the spec wants, first those of its node that no live
// attempt has. Beyond these it takes any, because the cluster knows better than the tables. The names are for the
// server's records only: such a cluster assigns its own devices. Precondition: all nodes are in the tables.
void choose_devices(const Tables& tables, const JobSpec& spec, std::vector<TaskPlacement>& placement);

// The flavors to which an attempt of the spec on these nodes is charged, as the engine names them (model/flavor_mix.h).
// Precondition: all nodes are in the tables.
std::string flavors_of(const Tables& tables, const JobSpec& spec, const std::vector<TaskPlacement>& placement);

}  // namespace ym
