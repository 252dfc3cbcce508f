// Pressure: the additional cost of GPUs that some jobs insist on, by type or by label. A job that could use other
// nodes of the flavor should leave these. Fragmentation does not see that: idle GPUs are worth the same to it,
// whichever jobs may use them. Pressure does not compare flavors: they are tried in their order.
//
// The pressure on a node is the demand under rules that admit it and not all others, as a part of what these rules
// admit, at most 1. A GPU costs kMostPressure times that. Demand is what all jobs need that have not ended: running,
// waiting and held, as with fragmentation. Of many rules, the ones with the largest demand count.
//
// kMostPressure was set for loads with changing pods, on public lists of gpu-v2023 (docs/design/0024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/state/nodes/inventory.h"
#include "engine/state/workload.h"

namespace ym::engine {

inline constexpr std::int64_t kMostPressure = 300;  // thousandths of a GPU
inline constexpr std::size_t kMostRules = 32;

// By node: cost of a whole GPU, in thousandths of one. Nothing: no job insists on any GPUs.
IndexedVector<NodeIndex, std::int64_t> pressure_costs(const Workload& workload, const Inventory& inventory);

}  // namespace ym::engine
