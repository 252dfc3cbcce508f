// Where the chosen jobs go: who runs on stays where he is, unless a larger one needs the room.
//
// Part of the policy's core: a pure function of its arguments.
#pragma once

#include <vector>

#include "papers/service/nodes.h"

namespace ym::sim::service {

struct Placed {
  JobNumber job = 0;
  Count gpus = 0;
  Placement placement{};
};

struct MovePlan {
  std::vector<JobNumber> stopped;  // to make room; they are in `starts` again, unless there is no room left for them
  std::vector<Placed> starts;
};

// Largest first (of equal ones the smaller number), best fit. For one that has no room though as many GPUs are free,
// smaller jobs leave the nodes with most free GPUs, the smallest first, and are placed again. One that still has no
// room is left out: that cannot happen if all GPU counts are powers of two and at most so many GPUs are chosen.
// Preconditions: `running` have a placement, `waiting` none.
MovePlan place(const ClusterShape& shape, std::vector<Placed> running, const std::vector<Placed>& waiting);

}  // namespace ym::sim::service
