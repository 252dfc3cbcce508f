// A cluster of any size with running jobs on each node: four racks, spot and on demand, and options for a test.
#pragma once

#include <cstdint>
#include <string>

#include "model/job_spec.h"
#include "model/queue.h"
#include "scenario/language/world.h"

namespace ym::reference {

// The request of a job.
struct Load {
  std::int64_t gpus = 1;
  std::int32_t nodes = 1, priority = 50;
  PlacementRules placement = {};
  std::int64_t gpu_milli = 0;   // of one GPU that is shared
  std::int32_t most_nodes = 0;  // elastic
  std::string profile = {};     // MIG: so many slices as GPUs are said
  std::int32_t others = 0;      // so many tasks of another group
  std::string queue = "default";
};

JobSpec spec_of(const Load& load);

// Options of a test for its nodes and queues.
struct Site {
  bool slices = false, spot = false;
  PreemptRule preempt = PreemptRule::never;
  std::int32_t growable = 0;  // so many elastic jobs run that have one node of four
  bool lent = false;          // all that the others have is of the queue "owner"
  bool cut = false;           // one has no quota any more
  bool elastic = false;       // as many nodes again could be made
  bool closes = false;        // one is set aside from the next hour on
};

// Nodes with four GPUs. On each a job of low priority uses two.
testing::World laden_world(std::int64_t nodes, const Site& site);

}  // namespace ym::reference
