// Fragmentation gradient descent (Weng et al., Beware of Fragmentation, USENIX ATC 2023). A node's idle GPUs are a
// fragment for a task that could not run there. On the average over all tasks, taking a node adds or removes
// fragments. The node that adds least is taken.
//
// As in the paper, a difference counts by its place on a curve, so that small differences are ties. Then the node with
// the fewest GPUs is taken, since a task that needs a large node fits on no other; between nodes of one size best fit
// decides. Beyond the paper: GPUs that some jobs insist on cost more (pressure.h); a task that lacks memory counts as
// one that cannot run; and one in kWholeNodes of the tasks is assumed to need a whole node, even if there is none: a
// whole node cannot be restored when the first such job comes. For a task that wants slices of a profile only these
// are idle; for other tasks they are not.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/placement/curve.h"
#include "engine/placement/node_room.h"
#include "engine/state/workload.h"

namespace ym::engine {

// For the devices that tasks of one profile (or without one) want.
class Fragmentation {
 public:
  Fragmentation(ProfileIndex profile, std::vector<TaskType> types);  // all of that profile

  ProfileIndex profile() const { return profile_; }
  // Whether some of the tasks take whole GPUs.
  bool wants_whole() const;
  // 1 to 100. `free`: free capacity of the node before the task is there; `left`: after that; `size`: capacity of the
  // empty node; `pressure_milli`: additional cost of each of its GPUs (pressure.h).
  std::int64_t score(const NodeRoom& size, const NodeRoom& free, const NodeRoom& left,
                     std::int64_t pressure_milli) const;

 private:
  ProfileIndex profile_;
  std::vector<TaskType> types_;
  std::int64_t whole_ = 0;  // tasks that are assumed to need a whole node
  std::int64_t tasks_ = 0;  // these and all others
  // By value on the curve: fragments removed, summed over all tasks, from which on it has that value.
  std::array<std::int64_t, kCurve.size()> least_{};
};

}  // namespace ym::engine
