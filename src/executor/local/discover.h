// This machine as a node.
#pragma once

#include <string>
#include <vector>

#include "executor/local/nvml.h"
#include "model/cluster.h"

namespace ym::local {

std::string host_name();

// Host name, processors and memory that this process may use; of the GPUs those of the first
// type that CUDA_VISIBLE_DEVICES leaves.
Node discover_node(const std::string& cluster, const std::vector<Gpu>& gpus);

}  // namespace ym::local
