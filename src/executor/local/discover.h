// This machine as a node.
#pragma once

#include <string>

#include "model/cluster.h"

namespace ym::local {

// Host name, processors and memory that this process may use, GPUs of its first type.
Node discover_node(const std::string& cluster);

}  // namespace ym::local
