// Of place: the turn of one job.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// It is admitted, or grows, if there is room; else it keeps what it waits for, if it may not be passed.
void take_turn(Cycle& cycle, Rank rank);
// Whether none of the jobs of a shape has to be tried, as things are.
bool is_refused(const Cycle& cycle, const ShapeCase& one);
// For how long one would have what it is given who is in the way of no more than any job of the shape; nothing: more than
// machines and quota decides.
std::optional<Tenure> least_tenure(const Cycle& cycle, Index shape);
// Whether jobs of the shape wait for what will be there, or could be made for them some day.
bool may_wait(Cycle& cycle, Index shape);

}  // namespace ym::engine
