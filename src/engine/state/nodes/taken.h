// Taken: what is taken of the nodes for one purpose, by node.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/state/nodes/node_need.h"

namespace ym::engine {

// In masks of devices.
constexpr std::uint64_t device_bit(DeviceIndex device) { return std::uint64_t{1} << device.value; }
// Precondition: there is one.
constexpr DeviceIndex first_device(std::uint64_t bits) { return DeviceIndex(std::countr_zero(bits)); }

struct Taken {
  IndexedVector<NodeIndex, std::uint64_t> devices;  // as a whole
  IndexedVector<NodeIndex, std::int64_t> cpus, memory;
  // Of shared devices; empty for a node without one so far. Entries beyond the end count as nothing.
  IndexedVector<NodeIndex, IndexedVector<DeviceIndex, Part>> parts;

  void grow(std::size_t size);
  // `bits`: the devices; for a shared one, the device that it has a part of. 0: the device does not exist any more.
  void add(NodeIndex n, const NodeNeed& need, std::uint64_t bits);
  void remove(NodeIndex n, const NodeNeed& need, std::uint64_t bits);
  void add_devices(NodeIndex n, const NodeNeed& need, std::uint64_t bits);
  // Clears the devices of the node, and nothing else.
  void clear_devices(NodeIndex n);

  Part part(NodeIndex n, DeviceIndex device) const { return parts[n].has(device) ? parts[n][device] : Part{}; }
  bool nothing_of(NodeIndex n) const;
  // Whether the same is taken of the node.
  bool equals(const Taken& other, NodeIndex n) const;
};

}  // namespace ym::engine
