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
// is told another code than before is told so by a decision; who is stopped runs, and is stopped once. Where it is told
// who keeps what is lent, it is told of each of them why.
std::optional<std::string> decision_without_reason(const State& state, const Policy& policy, const Plan& plan);

// Promises hold: nobody who begins is promised machines; and when the time of a promise has come, each node of it has
// enough of each kind for the holder beside those who may be there still, those who were let in, what is kept for
// others, and what others are promised. Who leaves already is not there; nor is whom one who holds a promise of that
// node may lawfully stop by then. Amounts are seen, not devices; of a gang of unlike groups the least of them.
std::optional<std::string> broken_promise(const State& state, const Policy& policy, const Plan& plan, Instant now);

}  // namespace ym::engine
