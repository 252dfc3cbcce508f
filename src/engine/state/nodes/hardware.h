// What the machines of a flavor could ever do for a gang. Computed at the first question, and cached until the
// machines change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/state/nodes/inventory.h"

namespace ym::engine {

// With empty machines, all in service.
struct Hardware {
  std::size_t matching = 0;  // nodes that the rules allow
  std::size_t possible = 0;  // number of these that are large enough, in the cluster that has most
  IndexedVector<PoolIndex, std::uint8_t> pool_is_large;    // large enough for the whole gang
  IndexedVector<PoolIndex, std::vector<NodeIndex>> large;  // the nodes that can hold a task, by name
  // The same for the machines in service now, with their healthy devices: a job waits there only for the end of
  // others.
  IndexedVector<PoolIndex, std::vector<NodeIndex>> serving;  // the nodes that can serve a task, by name
  IndexedVector<PoolIndex, std::uint8_t> pool_can_serve;     // whether the gang has room on these
  bool can_serve = false;                                    // for some pool
};

class HardwareBook {
 public:
  // `index` is that of the need among all needs. The result is valid until the next question.
  const Hardware& of(const Inventory& inventory, const GangNeed& need, NeedIndex index, FlavorIndex flavor);
  // Another need may get the index now.
  void forget(NeedIndex index);

 private:
  std::uint64_t as_of_ = 0;                                                              // Inventory::changes
  IndexedVector<NeedIndex, IndexedVector<FlavorIndex, std::optional<Hardware>>> found_;  // by need and flavor
};

}  // namespace ym::engine
