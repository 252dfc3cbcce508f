// Target: the jobs that should hold quota and machines now, and in which order they are chosen.
//
// A function of the jobs, the quotas and the machines, and not of the way that led there. All jobs are chosen anew,
// those that run and those that wait, until nothing fits any more:
//   - Within a queue the more urgent job goes first, by base priority; of equals, a job that runs. Of those that
//     run, the one goes first whose stop would lose most, then the oldest, then the highest id; of those that wait,
//     the first submitted, then the lowest id. Where the rule of the queue is `never`, each job that runs goes before
//     each that waits; where it is `any`, submit time goes before whether it runs. So no job of a queue may stop one
//     before it.
//   - Between the children of a cohort the one goes first whose share (quota/fair_share.h) would be the least with its
//     next job; then as within a queue.
//   - A job is chosen if its quota is there, and if the machines of its flavor have so much left in sum. Which nodes it
//     would have is not asked: that is for the search that makes room. Of a strict queue no job is chosen that waits
//     behind one that was not.
// Attempts that nothing can stop, and kept places, hold what they have from the beginning. Jobs that a limit or a
// budget holds back are left out, and so are attempts in queues that do not exist or have become cohorts.
//
// A job outside of the target is stopped before one inside. One inside is stopped only if the machines want it:
// stopping those outside would not make room, even if none was spared for now; and only for a job that is chosen before
// it, by priority within its queue, or where the queue may stop others in order to borrow. So a job outside
// stops none of its own queue that is inside, and one of another queue only to borrow. A job that is chosen later does
// not take a place that others have left for one inside. An elastic job that only becomes smaller goes before both.
#pragma once

#include <vector>

#include "engine/state/names.h"

namespace ym::engine {

struct Cycle;

class Target {
 public:
  // Of all that run and do not leave, those included that the cycle has admitted, and all that wait.
  explicit Target(Cycle& cycle);

  // Whether the job in the slot is in it.
  bool has(Slot slot) const { return place_of(slot) != kNone; }
  // Whether the one is chosen before the other: in it, and the other is not, or comes later.
  bool is_before(Slot one, Slot other) const { return place_of(one) < place_of(other); }

 private:
  Index place_of(Slot slot) const { return places_[slot]; }

  IndexedVector<Slot, Index> places_;  // the place in the order; kNone: outside
};

// The cycle's: found when it is first asked for.
const Target& target_of(Cycle& cycle);

}  // namespace ym::engine
