// Of place: one attempt to admit one job.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Admits the job, or lets it grow, if there is room. Otherwise it keeps what it waits for, if it blocks backfill.
void try_to_admit(Cycle& cycle, Rank rank);
// Whether no job of the shape has to be tried, because one was refused and nothing has changed since.
bool is_refused(const Tried& tried, const ShapeCache& one);
// Whether a job with the least demanding values of the shape would fit now, or might until the round is over. Within a
// round more and more machines and quota of a tree become reserved. But a queue may have more left when other jobs
// inherit what it uses (quota_from.h). True where other things than machines and quota decide.
enum class Fits : std::uint8_t { now, until_the_round_is_over };
bool least_would_fit(const Inputs& in, const Tried& tried, const Findings& known, ShapeIndex shape, Fits when);
// Whether jobs of the shape wait for machines that will be free or could be made.
bool may_wait(const Inputs& in, Findings& known, ShapeIndex shape);

}  // namespace ym::engine
