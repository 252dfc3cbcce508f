// What must hold at any time: recomputed from what is held, slowly, and compared.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace ym::engine {

// Nothing: all is well; else what is not. May be called after each phase of a cycle (from
// a PhaseObserver), when the state holds what the cycle has taken so far:
//   no device is given twice, and none that a cycle gives is unhealthy or out of service;
//   none that a cycle gives is kept for another, and none that it keeps stays in use;
//   what is in use of nodes and quota, what leaves, and what is kept is the sum of what is held;
//   no node and no quota is overdrawn by what a cycle gives or keeps, now or when those who leave
//   have left; gangs are whole, on nodes of their own; places are kept only for jobs that wait.
std::optional<std::string> broken_invariant(const State& state);

}  // namespace ym::engine
