// Free capacity of a node for tasks to place there.
#pragma once

#include <cstdint>
#include <span>

#include "engine/state/nodes/node_need.h"

namespace ym::engine {

// What a shared device has left for others.
struct SharedDevice {
  DeviceIndex device;
  Part free;
};

// Free capacity of a node, with the devices that a task of one kind can use: whole GPUs, or slices of a profile.
struct NodeRoom {
  std::int64_t devices = 0;  // nothing is taken of them
  std::int64_t cpus = 0, memory = 0;
  std::span<const SharedDevice> shared{};
  std::int64_t shared_milli = 0;  // of all of `shared`

  std::int64_t gpus() const { return devices * kMilli + shared_milli; }
};

}  // namespace ym::engine
