#include "model/cluster.h"

#include <algorithm>

namespace ym {

ResourceVector Node::capacity() const {
  ResourceVector v;
  v[ResourceKind::gpus] = std::ranges::count_if(devices, &Device::healthy) * kMilli;
  v[ResourceKind::cpus] = cpus;
  v[ResourceKind::memory] = memory_bytes;
  return v;
}

bool Flavor::matches(const Node& node) const {
  if (!gpu_type.empty() && gpu_type != node.gpu_type) return false;
  if (!cluster.empty() && cluster != node.cluster) return false;
  return std::ranges::all_of(labels, [&](const auto& label) {
    const auto it = node.labels.find(label.first);
    return it != node.labels.end() && it->second == label.second;
  });
}

}  // namespace ym
