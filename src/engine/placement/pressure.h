// What it costs to take GPUs that some jobs insist on, by type or by label: whoever could as well have other nodes of
// the flavor is to have these. Fragmentation takes no notice of that: to it idle GPUs are worth the same whoever may
// use them. Between flavors nothing is weighed: they are tried in their order.
//
// The pressure on a node is what is asked for under rules that admit it and not all others, in parts of what these
// rules admit, at most 1; a GPU costs kMostPressure times that. Asked for is what all jobs need that have not ended,
// whether they run, wait or are held, as with fragmentation. Of many rules those count under which most is asked for.
//
// kMostPressure was set where pods come and go, on public lists of gpu-v2023 (docs/design/0024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/state/inventory.h"
#include "engine/state/workload.h"

namespace ym::engine {

inline constexpr std::int64_t kMostPressure = 300;  // thousandths of a GPU
inline constexpr std::size_t kMostRules = 32;

// By node: of a whole GPU, in thousandths of one. Nothing: nobody insists on anything.
IndexedVector<NodeIndex, std::int64_t> pressure_costs(const Workload& workload, const Inventory& inventory);

}  // namespace ym::engine
