// Revokes tentative admissions of this cycle.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/preemption/search.h"

namespace ym::engine {

// Revokes the admission. If it was to a nominated placement, other jobs have that now.
void revoke(const Inputs& in, PendingEntries& pending, Tried& tried, Running& admitted, Rank by);
// If the plan's preempted jobs are only tentative admissions and revoking them makes room at once, revokes them and
// admits the job. False: other jobs have to stop first, and nothing is done.
bool admit_instead(Cycle& cycle, Rank rank, const Flavors& flavors, const RoomPlan& plan);
// Removes the revoked admissions from the plan. Places that were given up are released before all else.
void tidy_plan(Tried& tried, Output& out);

}  // namespace ym::engine
