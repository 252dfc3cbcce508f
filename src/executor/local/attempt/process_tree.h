// The descendants of a subreaper, and how to kill all of them.
#pragma once

#include <vector>

#include "executor/local/attempt/process.h"

namespace ym::local {

// The processes of `all` that descend from `root`, without zombies. If `root` is a subreaper, daemons are among them,
// because orphans become its children.
std::vector<ProcessStat> descendants(pid_t root, const std::vector<ProcessStat>& all);

// One round of SIGKILL; does nothing while /proc cannot be read. New children may appear meanwhile: call it again until
// none is left.
void kill_descendants(pid_t root);

}  // namespace ym::local
