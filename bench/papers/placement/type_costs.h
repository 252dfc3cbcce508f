// What it costs to take a GPU of a type that some pods insist on: the scarcer the type is to them, the more.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "papers/placement/traces.h"

namespace ym::sim::placement {

// Of a whole GPU, in thousandths of one.
using TypeCosts = std::map<std::string, std::int64_t>;

// `cost_milli` times the pressure on the type, which is at most 1: the demand of pods that name it in parts of all GPUs
// that they name.
TypeCosts type_costs(const PodList& list, const Fleet& fleet, std::int64_t cost_milli = 300);

// By node.
std::vector<std::int64_t> node_costs(const TypeCosts& costs, const Fleet& fleet);

}  // namespace ym::sim::placement
