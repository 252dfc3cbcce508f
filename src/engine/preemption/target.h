// Target: the jobs that should hold quota and machines now, and the order in which they are chosen.
//
// It is a function of the jobs, the quotas and the machines, not of their history. All jobs are chosen anew, running
// and waiting ones, until nothing fits any more:
// - Within a queue the more urgent job goes first, by base priority; of equals, a running job. Of running jobs, the
//   one whose stop would lose most goes first, then the oldest, then the highest id; of waiting jobs, the first
//   submitted, then the lowest id. Under the rule `never` each running job goes before each waiting one; under `any`,
//   submit time goes before whether it runs. So no job of a queue may stop one before it.
// - Between the children of a cohort, the one goes first whose share (quota/fair_share.h) would be the smallest with
//   its next job; then as within a queue.
// - A job is chosen if its quota is available, and if the machines of its flavor have enough left in sum. Which nodes
//   it would have does not matter here: the search that makes room decides that. In a strict queue, no waiting job
//   behind one that was not chosen is chosen.
//
// Attempts that cannot be stopped, and nominated placements, hold what they have from the beginning. Jobs that a limit
// or a budget holds back are left out, and so are attempts in queues that do not exist or have become cohorts.
//
// A job outside the target is stopped before one inside. One inside is stopped only if the machines require it, that
// is, if stopping the jobs outside would not make room even without protection; and only for a job that is chosen
// before it, by priority within its queue, or where the queue may stop others in order to borrow. So a job outside
// stops no job inside of its own queue, and one of another queue only to borrow. A job that is chosen later does not
// take a place that others have left for one inside. An elastic job that only becomes smaller goes before both.
#pragma once

#include <vector>

#include "engine/state/names.h"

namespace ym::engine {

struct Cycle;

using TargetPlace = StrongIndex<struct TargetPlaceTag>;  // in the order in which jobs are chosen

class Target {
 public:
  // Includes all jobs that run and do not leave, admissions of this cycle, and all that wait.
  explicit Target(const Cycle& cycle);

  // Whether the job in the slot is in the target.
  bool has(Slot slot) const { return place_of(slot) != kNone; }
  // Whether `one` is chosen before `other`: it is in the target, and the other is not, or comes later.
  bool is_before(Slot one, Slot other) const { return place_of(one) < place_of(other); }

 private:
  TargetPlace place_of(Slot slot) const { return places_[slot]; }

  IndexedVector<Slot, TargetPlace> places_;  // kNone: outside
};

// The target of the cycle, computed at the first call.
const Target& target_of(Cycle& cycle);

}  // namespace ym::engine
