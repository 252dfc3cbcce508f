// The lost work of attempts, staged when an attempt ends, and again when a save that had kept work is gone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/tables.h"

namespace ym {

// What the attempt loses by ending now (model/loss.h) if its job goes on. If the job ends, no work is repeated: the
// result is 0 for a preempted attempt, so that it has a figure beside its estimate, and nothing for any other.
// `restart`: the cost of a start. Precondition: the attempt has not ended, its tasks have.
std::optional<std::int64_t> lost_by_ending(const Tables& tables, AttemptKey attempt, bool goes_on, Duration restart,
                                           Instant now);

// The additional loss of earlier attempts because the job cannot resume from `gone`. The newest remaining save keeps
// less of the attempt that made it, and nothing of later ones. By attempt, without attempts that ended before losses
// were recorded. Precondition: `attempt` is the job's newest.
std::vector<FurtherLoss> further_losses(const Tables& tables, AttemptKey attempt, const Checkpoint& gone);

}  // namespace ym
