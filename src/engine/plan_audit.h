// What must hold for any plan: recomputed slowly from the state and the plan alone.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace ym::engine {

// Checks that nothing happens without a reason. Nothing: all is well; else the first fault. Preconditions: the plan is
// of this state and policy, and nothing of it has been applied.
//
// Each waiting job either starts or has a verdict, with a reason that the plan contains. A job with a changed reason
// code has a deferral. A stopped job runs, and is stopped once. A reason that speaks of lent quota accounts for each
// job that has it.
std::optional<std::string> decision_without_reason(const State& state, const Policy& policy, const Plan& plan);

// Checks that reservations hold. No job that starts has a reservation. At the start of a reservation, each of its
// nodes has enough of each kind for the holder, beside jobs that may still be there, jobs that start now, nominated
// placements and other reservations. Not counted are jobs that stop already, and jobs that a holder on that node may
// lawfully stop by then. The check sees amounts, not devices; for a gang of unlike groups it takes the smallest of
// them.
std::optional<std::string> broken_reservation(const State& state, const Policy& policy, const Plan& plan, Instant now);

}  // namespace ym::engine
