// Worlds to measure the engine: a full cluster, and a queue of gangs as in ML clusters of the literature.
#pragma once

#include <cstdint>

#include "model/tables.h"

namespace ym::bench {

struct WorldSize {
  std::int32_t nodes = 2'000;  // of 8 GPUs
  std::int32_t queued = 10'000;
  std::int32_t queues = 40;
  std::int32_t full_percent = 99;
};

// Of all gangs 60 % have one node (with 1, 2, 4 or 8 GPUs), 25 % have 2 to 8 nodes, 12 % have 16 to 64, and 3 % have
// 128 to 256 whole nodes. Time limits are between half an hour and three days. The running jobs have the same mix, as
// far as they fit. All queues lend to each other. All jobs have the same priority, and no queue reclaims quota, so no
// job is preempted.
Tables world(const WorldSize& size, std::uint64_t seed);

}  // namespace ym::bench
