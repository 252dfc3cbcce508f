// Fleets for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "papers/placement/traces.h"

namespace ym::sim::placement {

// Of two types of GPUs; nodes are called as they are numbered.
inline Fleet fleet_of(std::vector<Room> rooms) {
  Fleet fleet{.names = {}, .rooms = std::move(rooms), .types = {"a", "b"}};
  for (std::size_t i = 0; i < fleet.rooms.size(); ++i) fleet.names.push_back(std::to_string(i));
  return fleet;
}

}  // namespace ym::sim::placement
