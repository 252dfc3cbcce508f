// Work lost: what has to be done again because an attempt ended.
//
// It is all that the attempt did after the newest save that the job can go on from, until the last of its processes had
// ended, and a start for each of its GPUs. The grace is no exception: what it did there before a save is kept, what
// came after that was for nothing. What it would lose while it lives is model/risk.h.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "model/job.h"

namespace ym {

// When the last of its processes had ended, as its exits say; not after `heard`, when the end was heard of. An exit
// that is not dated after its start is by a clock that says nothing here: then it is `heard`.
Instant work_ended(const Attempt& attempt, Instant heard);

// GPU-milliseconds of the whole gang. `from`: the newest save that the job can go on from, whoever made it; null if
// there is none. It keeps of an attempt what that had done by then if the attempt itself made it, and nothing if one
// before it did. `restart`: what a start is reckoned with. Where user code never ran in every task, only its start was
// for nothing, as far as it had come: the time that it had its GPUs, but no longer than a start. Preconditions: the
// job's spec; `from` is not of a later attempt.
std::int64_t gpu_ms_lost(const Job& job, const Attempt& attempt, const Checkpoint* from, Duration restart,
                         Instant heard);

}  // namespace ym
