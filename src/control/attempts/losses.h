// What attempts have lost, as it is staged: once an attempt ends, and once more where a save that was counted on is
// gone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/tables.h"

namespace ym {

// What this attempt loses by ending now (model/loss.h), where its job goes on. Where it does not, nothing is done
// again: 0 of one that was to make room, so that its estimate does not stand alone; nothing of any other. `restart`:
// what a start is reckoned with. Precondition: the attempt has not ended, its tasks have.
std::optional<std::int64_t> lost_by_ending(const Tables& tables, AttemptKey attempt, bool goes_on, Duration restart,
                                           Instant now);

// What the attempts before this one lose beside what they have lost already, as the job cannot go on from `gone`: the
// newest save that is left keeps less of the attempt that made it, and nothing of those after that. By attempt; none of
// attempts that ended before this was reckoned.
// Precondition: `attempt` is the job's newest.
std::vector<FurtherLoss> further_losses(const Tables& tables, AttemptKey attempt, const Checkpoint& gone);

}  // namespace ym
