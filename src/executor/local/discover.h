// This machine as a node.
#pragma once

#include <string>

#include "model/cluster.h"

namespace ym::local {

// Host name, processors and memory that this process may use, GPUs of its first type as the
// library `nvml` shows them.
Node discover_node(const std::string& cluster, const std::string& nvml);

}  // namespace ym::local
