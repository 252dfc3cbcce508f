// The descendants of a subreaper, and their certain end.
#pragma once

#include <vector>

#include "executor/local/attempt/process.h"

namespace ym::local {

// Those of `all` that descend from `root`, zombies left out. Daemons are among them if
// `root` is a subreaper: orphans come to it.
std::vector<ProcessStat> descendants(pid_t root, const std::vector<ProcessStat>& all);

// One round of SIGKILL, nothing while /proc cannot be read. New children may appear behind
// its back: call it again until nothing is left.
void kill_descendants(pid_t root);

}  // namespace ym::local
