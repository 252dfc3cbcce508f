// Which nodes a gang takes: the fullest that still have room.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/state/inventory.h"

namespace ym::engine {

// What a gang asks of the machines.
struct GangNeed {
  Index rule = kNone;
  NodeNeed task;
  std::size_t nodes = 1;  // one task each
};

struct Choice {
  Index cluster = kNone;
  std::vector<Index> nodes;  // by name
};

// The nodes of one pool that leave the fewest GPUs free, so that whole nodes stay whole;
// then by name. Work without GPUs keeps off GPU nodes while others have room. Between
// pools: fewest GPU nodes taken by such work, fewest GPUs left free, name of the cluster.
// `barred` says by node who keeps it; kNone: nobody.
std::optional<Choice> best_fit(const Inventory& inventory, Index flavor, const GangNeed& need,
                               const std::vector<Index>& barred);

// The first `count` of the bits set in `free`: lowest first in the order of the inventory.
std::uint64_t lowest_devices(std::uint64_t free, std::int64_t count);

}  // namespace ym::engine
