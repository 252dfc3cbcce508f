#include "engine/state/nodes/taken.h"

#include <algorithm>

namespace ym::engine {
namespace {

Part& part_of(IndexedVector<DeviceIndex, Part>& parts, std::uint64_t bit) {
  const DeviceIndex device = first_device(bit);
  parts.grow_to(device);
  return parts[device];
}

}  // namespace

void Taken::grow(std::size_t size) {
  devices.resize(size);
  cpus.resize(size);
  memory.resize(size);
  parts.resize(size);
}

void Taken::add_devices(NodeIndex n, const NodeNeed& need, std::uint64_t bits) {
  if (!need.shares()) devices[n] |= bits;
  else if (bits != 0) part_of(parts[n], bits) += need.part;
}

void Taken::add(NodeIndex n, const NodeNeed& need, std::uint64_t bits) {
  add_devices(n, need, bits);
  cpus[n] += need.cpus;
  memory[n] += need.memory;
}

void Taken::remove(NodeIndex n, const NodeNeed& need, std::uint64_t bits) {
  if (!need.shares()) devices[n] &= ~bits;
  else if (bits != 0) part_of(parts[n], bits) -= need.part;
  cpus[n] -= need.cpus;
  memory[n] -= need.memory;
}

void Taken::clear_devices(NodeIndex n) {
  devices[n] = 0;
  parts[n].clear();
}

bool Taken::nothing_of(NodeIndex n) const {
  return devices[n] == 0 && cpus[n] == 0 && memory[n] == 0 && std::ranges::all_of(parts[n], &Part::is_none);
}

bool Taken::equals(const Taken& other, NodeIndex n) const {
  for (const DeviceIndex device : indices<DeviceIndex>(std::max(parts[n].size(), other.parts[n].size())))
    if (part(n, device) != other.part(n, device)) return false;
  return devices[n] == other.devices[n] && cpus[n] == other.cpus[n] && memory[n] == other.memory[n];
}

}  // namespace ym::engine
