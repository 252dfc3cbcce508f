// Who may be stopped for whom: Kueue's rules (pkg/scheduler/preemption).
//
// By priority: within its own queue a job may stop those of lower base priority, and under the
// rule `any` also newer ones of the same priority; under `never`, nobody. Age does not count.
//
// Reclaiming: to take back quota that was lent, a job may stop those of other queues of its tree,
// of any priority. Each of them must be in a queue that uses more than its nominal quota when its
// turn comes, in a kind of which the job needs some and it has some, and so must be each cohort
// above that queue up to where the two ways up meet: what is taken back was lent to this part of
// the tree. The job itself, with all that it asks for, must stay within nominal quota on its own
// side: in its queue, or in a cohort above it below the meeting point.
//
// Nobody can be stopped back and forth. In a queue, priority and submit time order all jobs, a
// preemption replaces later ones by an earlier one, and neither changes while a job lives. Between
// queues, what was stopped was beyond nominal quota: to come back by force it would have to stay
// within, which it does only after others of its queue have ended or been stopped for the queue's
// own more urgent ones; and whom it was stopped for is within nominal quota, out of reach, until
// its queue borrows, which needs room that nobody had to leave. What was stopped comes after the
// holder of its place, not before: that place is kept. And however things change from outside,
// a job is stopped no more often than the policy says within an hour.
#pragma once

#include <vector>

#include "engine/objections.h"
#include "engine/trial.h"

namespace ym::engine {

// Who may be stopped, and what that would free.
struct Subject {
  JobId job;
  const JobRow* row = nullptr;
  const Footprint* place = nullptr;
  bool fresh = false;  // admitted in this cycle: it does not start, and has borrowed nothing
};

// A job that looks for room in a flavor.
struct Claimant {
  const State::Impl& state;
  const JobRow& job;
  const Shape& shape;
  Index flavor = kNone;
};

// Whether the attempt is one that can be stopped for somebody at all; time aside.
bool can_be_stopped(const JobRow& job, const LiveAttempt& attempt);

// Whether the claimant may stop the attempt by priority.
bool may_take(const Claimant& claimant, const Subject& subject);
// Whether, as things are now, this is held in a queue that the claimant may reclaim from.
bool borrows_from(const Claimant& claimant, const Footprint& place);
// Whether its queue uses more than its nominal of something that the claimant needs.
bool is_borrower(const Claimant& claimant, const Footprint& place);
// Whether the claimant stays within nominal quota on its side, with what is claimed. Precondition:
// both are in one tree.
bool stays_within(const Claimant& claimant, const Footprint& place);

// Lets them depart in an order in which each may be stopped, the fresh ones first; an objection if there is none, or
// if the claimant then has no right to all of them. Precondition: none has departed.
Objection depart_lawfully(Trial& trial, const Claimant& claimant, std::vector<Subject> victims);

}  // namespace ym::engine
