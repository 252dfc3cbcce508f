// What a job of a random world gets if no other job waits: exactly the best plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "scenario/language/world.h"

namespace ym::reference {

struct AloneVerdict {
  std::optional<std::string> wrong{};
  bool stops = false, reclaims = false;  // somebody is stopped for it; for lent quota
  bool many = false;                     // too many come into question to go through all sets
};

// For some of the waiting jobs that would not be admitted alone.
std::vector<AloneVerdict> judged_alone(const testing::World& world, const engine::Policy& policy);

}  // namespace ym::reference
