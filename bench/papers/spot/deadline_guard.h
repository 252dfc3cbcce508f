// The guard of the deadline: with it, no job is late, whatever a policy wants and whatever the market does.
//
// What it keeps up, tick by tick: a job that is not on demand has the slack for a start there; one that is, for what is
// left of that start. So going on demand, and staying there, is always in time, and anything else is let through only
// if that is still so after one tick of it. Unlike a rule that ends on demand for good, it lets a job leave again once
// it got ahead.
//
// Preconditions: at the submission the job has slack for one start; nodes on demand can always be had; a start takes
// start_ms at most; when spot nodes are lost, finished work is not. Where these are upper limits with a margin, so is
// the promise. A tick may have any length that is known when it begins.
#pragma once

#include <cstdint>

#include "papers/spot/job.h"

namespace ym::sim::spot {

// Slack that one tick at `place` takes at most.
std::int64_t slack_taken_ms(const Job& job, const JobState& state, Place place, std::int64_t tick_ms);

// Whether the job can still be in time after one tick at `place`, come what may.
bool keeps_deadline(const Job& job, const JobState& state, Place place, std::int64_t tick_ms);

// `wanted` if that keeps the deadline, else on demand.
Place guarded(const Job& job, const JobState& state, Place wanted, std::int64_t tick_ms);

}  // namespace ym::sim::spot
