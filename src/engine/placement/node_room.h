// What is free of a node for tasks that are to go there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/state/node_need.h"

namespace ym::engine {

// What a device that is shared has left for others.
struct SharedDevice {
  std::size_t device = 0;  // place in the node's inventory
  Part free;
};

// What is free of a node, of the devices that are of use for a task of one kind: whole GPUs, or slices of a profile.
struct NodeRoom {
  std::int64_t devices = 0;  // nobody has anything of them
  std::int64_t cpus = 0, memory = 0;
  std::span<const SharedDevice> shared{};
  std::int64_t shared_milli = 0;  // of all of `shared`

  std::int64_t gpus() const { return devices * kMilli + shared_milli; }
};

}  // namespace ym::engine
