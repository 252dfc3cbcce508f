// RunningAllocations: which jobs are on which nodes, and when they will be gone. What is free later follows from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/state/live.h"
#include "engine/state/nodes/inventory.h"

namespace ym::engine {

// What bounds the time for which a job holds its place.
struct Ending {
  std::optional<Instant> started_at;   // start of user code
  std::optional<Instant> admitted_at;  // nothing: admitted in the current trial
  std::optional<Duration> limit;       // enforced from the start of user code; nothing: no limit
  Duration grace;                      // of a stop
  std::optional<Instant> stop_by;      // end of its grace, if that has begun
  bool leaving = false;
};

// A job with its place: its live attempt, or a grant of the trial. A job has at most one of both.
struct Allocation {
  QueueIndex queue = kNone;
  Charged charged;
  std::vector<NodeIndex> nodes;  // by task; a gang has one task a node
  Ending ending;
};

// One task's part of a node. Slots identify jobs.
struct TaskAllocation {
  Slot job = kNone;
  std::uint64_t bits = 0;
  std::int64_t cpus = 0, memory = 0;
  Part part;  // of the device, if it is shared
};

class RunningAllocations {
 public:
  void enter(Slot job, const Footprint& place, const Ending& ending);
  void leave(Slot job, const Footprint& place);
  // Precondition: the job has a task on the node.
  void renew_bits(Slot job, NodeIndex node, std::uint64_t bits);

  // Precondition: the job has a place.
  Allocation& allocation(Slot job) { return allocations_by_slot_[job]; }
  const Allocation& allocation(Slot job) const { return allocations_by_slot_[job]; }
  // In any order.
  std::span<const TaskAllocation> on_node(NodeIndex node) const {
    if (!by_node_.has(node)) return {};
    return by_node_[node];
  }
  std::span<const Slot> of_queue(QueueIndex queue) const {
    if (!by_queue_.has(queue)) return {};
    return by_queue_[queue];
  }

 private:
  IndexedVector<NodeIndex, std::vector<TaskAllocation>> by_node_;
  IndexedVector<QueueIndex, std::vector<Slot>> by_queue_;
  IndexedVector<Slot, Allocation> allocations_by_slot_;
};

}  // namespace ym::engine
