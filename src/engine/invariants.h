// Invariants of the state: recomputed slowly from what jobs hold, and compared.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace ym::engine {

// Nothing: all hold; else the first that is broken. May be called after each phase of a cycle (from a PhaseObserver),
// when the state contains what the cycle has taken up to then:
// - No device is given twice. A cycle gives no device that is unhealthy or out of service.
// - A cycle gives no device that is nominated for another job, and nominates none that stays in use.
// - What is in use of nodes and quota, what leaves, and what is nominated equals the sum over all jobs.
// - What a cycle gives or nominates exceeds no node and no quota, now or when stopping jobs have left.
// - Gangs are whole, with one task a node. Only waiting jobs have nominated placements.
std::optional<std::string> broken_invariant(const State& state);

}  // namespace ym::engine
