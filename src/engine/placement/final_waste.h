// Final waste: where least is added to what a learned table expects of a node's idle GPUs to be idle still when the
// cluster is full (model/waste_table.h). As with fragmentation the difference counts by its place on the curve, so that
// small ones are ties, which best fit decides.
#pragma once

#include <cstdint>

#include "engine/placement/node_room.h"
#include "model/waste_table.h"

namespace ym::engine {

// 1 to 100. `type_cost_milli`: of a GPU of the node, beside what the table says of its room.
std::int64_t final_waste_score(const WasteTable& table, const NodeRoom& free, const NodeRoom& left,
                               std::int64_t type_cost_milli);

}  // namespace ym::engine
