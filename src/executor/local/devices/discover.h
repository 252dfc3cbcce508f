// This machine as a node.
#pragma once

#include <string>
#include <vector>

#include "executor/local/devices/nvml.h"
#include "model/cluster.h"

namespace ym::local {

std::string host_name();

// Host name, and the processors and memory that this process may use. Its GPUs are those of the first type among the
// GPUs that CUDA_VISIBLE_DEVICES leaves.
Node discover_node(const std::string& cluster, const std::vector<Gpu>& gpus);

}  // namespace ym::local
