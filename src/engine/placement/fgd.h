// Fragmentation gradient descent (Weng et al., Beware of Fragmentation, USENIX ATC 2023): of a node's idle GPUs
// those are a fragment to a task that could not run there; averaged over the tasks there are, taking a node adds
// or removes fragments, and the node is taken where least is added.
//
// As there, the difference counts by its place on a curve, so that small differences are ties: the node with the fewest
// GPUs gets it then, since what needs a large node fits nowhere else, and of nodes of one size best fit decides. Beyond
// it, GPUs on which some insist cost more (pressure.h); a task for which memory is missing counts as one that cannot
// run; and one in kWholeNodes of the tasks is taken to need a whole node, whether there is one or not: what is whole
// cannot be had back when the first such job comes. To a task that wants slices of a profile nothing else is idle, nor
// are such slices to others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/placement/curve.h"
#include "engine/placement/node_room.h"
#include "engine/state/workload.h"

namespace ym::engine {

// For the devices that tasks of one profile (or of none) want.
class Fragmentation {
 public:
  Fragmentation(ProfileIndex profile, std::vector<TaskType> types);  // all of that profile

  ProfileIndex profile() const { return profile_; }
  // Whether some of the tasks take whole GPUs.
  bool wants_whole() const;
  // 1 to 100: what is free of a node before a task is there, and after that; `size`: of the node when it is empty;
  // `pressure_milli`: what each of its GPUs costs besides (pressure.h).
  std::int64_t score(const NodeRoom& size, const NodeRoom& free, const NodeRoom& left,
                     std::int64_t pressure_milli) const;

 private:
  ProfileIndex profile_;
  std::vector<TaskType> types_;
  std::int64_t whole_ = 0;  // tasks that are taken to need a whole node
  std::int64_t tasks_ = 0;  // these and all others
  // Fragments removed, summed over all tasks, from which on the curve is higher.
  std::array<std::int64_t, kCurve.size()> least_{};
};

}  // namespace ym::engine
