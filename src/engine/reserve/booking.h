// Booking: machines that are promised to a job.
#pragma once

#include <vector>

#include "engine/reserve/walltime.h"
#include "engine/state/inventory.h"
#include "engine/state/minute.h"

namespace ym::engine {

struct Booking {
  Claims holder;
  PreemptRule rule = PreemptRule::never;  // of its queue
  Slot slot = kNone;                      // the holder's
  QueueIndex root = kNone;                // of the tree whose quota it has with the machines; kNone: it asks for none
  Flavors flavors;
  ClusterIndex cluster = kNone;
  GangNeed need;
  std::vector<NodeIndex> nodes;  // by name; of a mix part by part
  Minute from = 0, until = kNoMinute;
  Duration stops;  // beginning then, it takes so long to stop those who yield

  // What is promised of one of its nodes.
  const NodeNeed& on(NodeIndex node) const;
};

}  // namespace ym::engine
