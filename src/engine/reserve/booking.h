// Booking: the machines of a backfill reservation.
#pragma once

#include <vector>

#include "engine/reserve/walltime.h"
#include "engine/state/minute.h"
#include "engine/state/nodes/inventory.h"

namespace ym::engine {

struct Booking {
  Claims holder;
  PreemptRule rule = PreemptRule::never;  // of its queue
  Slot slot = kNone;                      // the holder's
  QueueIndex root = kNone;                // root of the tree whose quota comes with the machines; kNone: it needs none
  Flavors flavors;
  ClusterIndex cluster = kNone;
  GangNeed need;
  std::vector<NodeIndex> nodes;  // by name; for a mix part by part
  Minute from = 0, until = kNoMinute;
  Duration stops;  // time from then on that it takes to stop the jobs that yield

  // What is reserved of one of its nodes.
  const NodeNeed& on(NodeIndex node) const;
};

using BookingIndex = StrongIndex<struct BookingTag>;

}  // namespace ym::engine
