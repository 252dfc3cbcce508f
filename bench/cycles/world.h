// Worlds for measuring the engine: a full cluster, and a queue of gangs of the mix that the ML clusters
// of the literature show.
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

// Of all gangs 60 % have one node (1, 2, 4 or 8 GPUs of it), 25 % have 2 to 8, 12 % have 16 to 64, 3 % have 128
// to 256 whole ones; limits of half an hour to three days. Whoever runs is of the same mix, as far as it
// finds room. All queues lend to each other; nobody is more urgent than another, and nobody takes lent quota
// back, so that none is stopped.
Tables world(const WorldSize& size, std::uint64_t seed);

}  // namespace ym::bench
