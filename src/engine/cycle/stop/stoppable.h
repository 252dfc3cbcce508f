// Whether a search for jobs to stop can succeed at all.
#pragma once

#include "engine/cycle/inputs.h"
#include "engine/cycle/pending_entries.h"

namespace ym::engine {

// False: no rule lets a waiting job stop any job, whatever room that would make. Call it again after an admission or
// after a job has left.
bool some_jobs_may_be_stopped(const Inputs& in, const PendingEntries& pending);

}  // namespace ym::engine
