// Lost GPU time: the work that must be repeated because an attempt ended.
//
// It is the time between the newest save from which the job can resume and the end of the attempt's last process, plus
// one start, for each GPU. The same holds for the grace: work before a save in it is kept, work after that is lost. For
// what a live attempt would lose see model/risk.h.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "model/job.h"

namespace ym {

// When the last process of the attempt ended, according to its exits; at most `heard`, the time when the end was
// noticed. If no exit has a time after the start, the clocks do not agree, and it is `heard`.
Instant work_ended(const Attempt& attempt, Instant heard);

// GPU-milliseconds of the whole gang. `from`: the newest save from which the job can resume, of any attempt; null if
// there is none. If this attempt made it, the work until then is kept. If an earlier attempt made it, all work of this
// one is lost. `restart`: the time that a start counts as. If user code never ran in every task, only the start was
// lost: the time for which the attempt had its GPUs, at most `restart`. Preconditions: the job has its spec; `from` is
// not of a later attempt.
std::int64_t gpu_ms_lost(const Job& job, const Attempt& attempt, const Checkpoint* from, Duration restart,
                         Instant heard);

}  // namespace ym
