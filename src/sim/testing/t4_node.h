// A node of the cluster `lab`.
#pragma once

#include <string>

#include "model/cluster.h"

namespace ym::sim {

// It has 64 CPUs, and `gpus` devices of type t4 with the ids 0, 1 and so on.
inline Node t4_node(const std::string& name, int gpus) {
  Node made{.name = name, .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
  for (int i = 0; i < gpus; ++i) made.devices.push_back({.id = std::to_string(i)});
  return made;
}

}  // namespace ym::sim
