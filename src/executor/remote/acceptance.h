// Which observations prove that a cluster has accepted a launch: the cluster's own answer may come later.
#pragma once

#include "executor/executor.h"

namespace ym::remote {

// An attempt that ended before anything of it was there had been accepted too.
inline bool proves_acceptance(const ObservedFact& what) {
  return std::holds_alternative<LaunchPreparing>(what) || std::holds_alternative<GangIsWaiting>(what) ||
         std::holds_alternative<TaskIsRunning>(what) || std::holds_alternative<TaskHasEnded>(what);
}

}  // namespace ym::remote
