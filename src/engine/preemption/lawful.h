// Which jobs may be stopped for which: Kueue's rules (pkg/scheduler/preemption).
//
// By priority: within its own queue a job may stop jobs of lower base priority. Under the rule `any` it may also stop
// newer jobs of the same priority; under `never`, none. Age does not count.
//
// Reclaim: to get back lent quota, a job may stop jobs of other queues of its tree: of any priority, or as its queue's
// rule says, and never across a fence. When a preempted job stops, its queue must use more than its nominal quota, in a
// contested kind that the preempted job has some of. The same must hold for each cohort above that queue, up to where
// it meets the claimant's: the quota was lent to this part of the tree. A kind is contested if the job finds too little
// quota of it. If it finds enough of all and lacks only machines, all kinds that it asks for are contested.
//
// The job itself, with all that it asks for, must stay within nominal quota on its own side: in its queue, or in a
// cohort above it below the meeting point. If its queue allows it, a job that does not stay within may stop less
// urgent jobs of these other queues, up to a priority: it borrows what they had borrowed. Then all that each preempted
// job has must be borrowed: without it, its queue and each such cohort still use at least their nominal quota. (Kueue
// also takes preempted jobs that are partly within; then the rest of their queue could reclaim it by right, and so on
// without end.)
//
// Kueue also stops jobs of the claimant's own queue so that it stays within. Here a job that would restart at once
// where it was is not stopped: what it holds does not count then (Own::aside).
//
// A set of preempted jobs may leave in any order in which each may be stopped at its point: first admissions of this
// cycle that are revoked, then jobs of the own queue, then the others. The contested kinds are computed before running
// jobs begin to leave.
//
// Whatever the rules say, a job may stop another only if it arrived after the last stop of that one
// (state/stopped_since.h): so stops come to an end. The target (target.h) and the price decide which of the allowed
// preempted jobs to stop.
#pragma once

#include <optional>
#include <vector>

#include "engine/quota/demand.h"
#include "engine/reserve/walltime.h"
#include "engine/trial.h"

namespace ym::engine {

// A job that may be stopped, and what that would free.
struct Subject {
  JobId job;
  const JobRow* row = nullptr;
  const Footprint* place = nullptr;
  bool tentative = false;  // admitted in this cycle: it does not start
};

// A job that looks for room in a flavor, or in a mix.
struct Claimant {
  const State::Impl& state;
  const JobRow& job;
  const Shape& shape;
  const Queue* rules = nullptr;  // of its queue; null: it may stop no job
  Flavors flavors;

  static Claimant of(const State::Impl& state, const JobRow& job, const Flavors& flavors);
};

// Whether the attempt can be stopped for other jobs at all; time aside.
bool can_be_stopped(const JobRow& job, const LiveAttempt& attempt);

// What the rule for preemption within a queue looks at.
Claims claims_of(const JobRow& job, QueueIndex queue);

// The fenced queue between the claimant's queue and the other; kNone: none.
QueueIndex fence_between(const Claimant& claimant, QueueIndex queue);
inline bool is_fenced_off(const Claimant& claimant, QueueIndex queue) {
  return fence_between(claimant, queue) != kNone;
}
bool is_own(const Claimant& claimant, const Footprint& place);  // of the claimant's queue
// Whether the claimant may stop the attempt by priority.
bool may_take(const Claimant& claimant, const Subject& subject);
// Priority below which jobs may be stopped so; a job of this priority or a higher one may not.
std::int64_t takes_below(const Claimant& claimant);
// Whether the claimant may reclaim what the attempt holds, if that was lent.
bool may_reclaim(const Claimant& claimant, const Subject& subject);
// The same for jobs in a queue: everything that depends on no usage. `reclaims_below`: jobs below this priority may be
// stopped, in queues from which the claimant may reclaim at all.
bool may_reclaim_from(const Claimant& claimant, QueueIndex queue);
std::int64_t reclaims_below(const Claimant& claimant);

// On the current state.
Kinds contested_kinds(const Claimant& claimant);
// Whether the place's quota is lent: its queue exceeds its nominal quota in one of these kinds that the place has some
// of, and so does each cohort above it up to where it meets the claimant. `wholly`: they still use at least their
// nominal quota without the place. Precondition: both are in one tree.
enum class Lent : std::uint8_t { partly, wholly };
bool is_lent(const Claimant& claimant, const Footprint& place, Kinds kinds, Lent how = Lent::partly);
// The same for `partly`, as if the jobs that leave were still there.
bool is_still_lent(const Claimant& claimant, const Footprint& place, Kinds kinds);
// Whether its queue exceeds its nominal quota in one of the kinds.
bool is_borrower(const Claimant& claimant, const Footprint& place, Kinds kinds);
// Whether usage of jobs in the claimant's queue that it may stop by priority counts when its right to others is
// judged.
enum class Own : std::uint8_t { counts, aside };
// Jobs of other queues below this priority may be stopped although the claimant does not stay within: to borrow.
std::int64_t borrows_below(const Claimant& claimant);

// Why the preempted jobs may not leave.
struct Unlawful {
  JobId job;  // this one may not be stopped. None: the claimant has no right to the whole set
};

// Lets all of them depart; nothing: that is lawful. Precondition: none has departed. `aside`: other jobs of the own
// queue, spared because they would restart at once, may be the reason.
std::optional<Unlawful> depart_lawfully(Trial& trial, const Claimant& claimant,
                                        const std::vector<Subject>& preempted_jobs, Own own);

}  // namespace ym::engine
