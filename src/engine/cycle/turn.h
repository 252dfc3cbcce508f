// Of place: the turn of one job.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// It is admitted, or grows, if there is room; else it keeps what it waits for, if it may not be passed.
void take_turn(Cycle& cycle, Rank rank);
// Whether none of the jobs of a shape has to be tried, as things are.
bool is_refused(const Tried& tried, const ShapeCache& one);
// Whether a job that is in the way of no more than any of the shape would fit now; or might until the round is over:
// ever more is promised in it, of machines and of a tree's quota as a whole, but a queue may have more left when others
// inherit what it uses (quota_from.h). True where more than machines and quota decides.
enum class Fits : std::uint8_t { now, until_the_round_is_over };
bool least_would_fit(Cycle& cycle, ShapeIndex shape, Fits when);
// Whether jobs of the shape wait for what will be there, or could be made for them some day.
bool may_wait(Cycle& cycle, ShapeIndex shape);

}  // namespace ym::engine
