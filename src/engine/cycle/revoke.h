// Admissions of this cycle that are not made after all.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/preemption/search.h"

namespace ym::engine {

// The admission is not made. If it was to a kept place, others have that now.
void revoke(Cycle& cycle, Running& admitted, Rank by);
// The job is admitted where all the victims are only admitted ones that make room at once: they are
// taken back. False: others have to leave first, and nothing is done.
bool admit_instead(Cycle& cycle, Rank rank, const Flavors& flavors, const RoomPlan& plan);
// What was taken back leaves the plan, and the places that were given up are released before all else.
void tidy_plan(Tried& tried, Output& out);

}  // namespace ym::engine
