// What must hold of any plan, seen from outside: recomputed from the state and the plan alone, slowly.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace ym::engine {

// Nothing: all is well; else what is not. Preconditions: the plan is of this state, policy and time, and nothing of it
// has been done yet.
//
// Nothing without a reason: of the jobs that wait, each begins or is told why not, by something that the plan has; who
// is told another code than before is told so by a decision; who is stopped runs, and is stopped once.
std::optional<std::string> decision_without_reason(const State& state, const Policy& policy, const Plan& plan);

// Promises hold: nobody who begins is promised machines; and when the time of a promise has come, each node of it has
// enough of each kind for the holder beside those who may be there still, whoever was let in, and beside what others
// are promised. Amounts are seen, not devices; and of who may be stopped for the holder it is taken that he will be.
std::optional<std::string> broken_promise(const State& state, const Policy& policy, const Plan& plan, Instant now);

}  // namespace ym::engine
