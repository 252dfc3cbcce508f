// What the machines of a flavor could ever do for a gang: found when first asked for, and remembered until
// the machines are others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/state/inventory.h"

namespace ym::engine {

// Empty, all in service.
struct Hardware {
  std::size_t matching = 0;                   // nodes that the rules allow
  std::size_t possible = 0;                   // of them large enough, in the cluster that has most
  std::vector<std::uint8_t> pool_is_large;    // by pool: large enough for the whole gang
  std::vector<std::vector<NodeIndex>> large;  // by pool: the nodes that can hold a task, by name
  // As they are now, in service and with the devices that are healthy: what is left to wait
  // for is the end of others.
  std::vector<std::vector<NodeIndex>> serving;  // by pool: the nodes that can serve a task, by name
  std::vector<std::uint8_t> pool_can_serve;     // by pool: so many of them that the gang has room
  bool can_serve = false;                       // some pool
};

class HardwareBook {
 public:
  // `index` is of the need, among all needs. What is returned stays until the next question.
  const Hardware& of(const Inventory& inventory, const GangNeed& need, NeedIndex index, FlavorIndex flavor);
  // The index is given to another need.
  void forget(NeedIndex index);

 private:
  std::uint64_t as_of_ = 0;                                                              // Inventory::changes
  IndexedVector<NeedIndex, IndexedVector<FlavorIndex, std::optional<Hardware>>> found_;  // by need and flavor
};

}  // namespace ym::engine
