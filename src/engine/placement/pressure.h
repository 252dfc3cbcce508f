// What it costs to take GPUs that some jobs insist on, by type or by label: whoever could as well run elsewhere is to
// go elsewhere. Fragmentation takes no notice of that: to it idle GPUs are worth the same whoever may use them.
//
// The pressure on a node is what is asked for under rules that admit it and not all others, in parts of what these
// rules admit, at most 1; a GPU costs kMostPressure times that. Where pods leave, on the public lists of gpu-v2023,
// this and the second key of fgd.h lose less than FGD as published; kMostPressure was set there (docs/design/0024).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/inventory.h"
#include "engine/state/workload.h"

namespace ym::engine {

inline constexpr std::int64_t kMostPressure = 300;  // thousandths of a GPU

// By node: of a whole GPU, in thousandths of one. Nothing: nobody insists on anything.
std::vector<std::int64_t> pressure_costs(const Workload& workload, const Inventory& inventory);

}  // namespace ym::engine
