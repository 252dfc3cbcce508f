// Who may be stopped for whom: Kueue's rules (pkg/scheduler/preemption).
//
// By priority: within its own queue a job may stop those of lower base priority, and under the
// rule `any` also newer ones of the same priority; under `never`, nobody. Age does not count.
//
// Reclaiming: to take back quota that was lent, a job may stop those of other queues of its tree: of
// any priority, or as its queue's rule for that says, and never across a fence. Each of them must
// be in a queue that uses more than its nominal quota when its turn comes, in a kind that is
// contested and of which it has some, and so must be each cohort above that queue up to where the
// two ways up meet: what is taken back was lent to this part of the tree. Contested are the kinds
// of which the job finds too little quota; where it finds enough of all and only machines are
// missing, all that it asks for. The job itself, with all that it asks for, must stay within
// nominal quota on its own side: in its queue, or in a cohort above it below the meeting point.
// Where its queue says so, a job that does not stay within may stop those of them who are less urgent than
// it, up to a priority: it borrows what they had borrowed. All that each of them has must be borrowed then:
// what is left of its queue, and of each such cohort, is no less than its nominal quota. (Kueue also takes those
// who are partly within; then the rest of their queue could take it back by right, and so on without end.)
//
// Kueue stops jobs of the claimant's own queue, too, so that it stays within. One that would begin again at once where
// it was is spared here: what it holds does not count then (Own::aside).
//
// Those who leave together may leave in any order in which each may be stopped when its turn
// comes: first what this cycle has admitted and does not start after all, then those of the own
// queue, then the others. What is contested is asked before those who run begin to leave.
//
// Whatever the rules say, a job stops another only if it arrived after that one was stopped last (state/once.h): so
// stops come to rest. Which of those that may be stopped should be is the target's to say (target.h), and the price's.
#pragma once

#include <optional>
#include <vector>

#include "engine/quota/demand.h"
#include "engine/reserve/walltime.h"
#include "engine/trial.h"

namespace ym::engine {

// Who may be stopped, and what that would free.
struct Subject {
  JobId job;
  const JobRow* row = nullptr;
  const Footprint* place = nullptr;
  bool tentative = false;  // admitted in this cycle: it does not start
};

// A job that looks for room in a flavor, or a mix.
struct Claimant {
  const State::Impl& state;
  const JobRow& job;
  const Shape& shape;
  const Queue* rules = nullptr;  // of its queue; null: it may stop nobody
  Flavors flavors;

  static Claimant of(const State::Impl& state, const JobRow& job, const Flavors& flavors);
};

// Whether the attempt is one that can be stopped for somebody at all; time aside.
bool can_be_stopped(const JobRow& job, const LiveAttempt& attempt);

// What the rule for preemption within a queue looks at.
Claims claims_of(const JobRow& job, QueueIndex queue);

// The fenced queue that stands between its queue and the other; kNone: none does.
QueueIndex fence_between(const Claimant& claimant, QueueIndex queue);
inline bool is_fenced_off(const Claimant& claimant, QueueIndex queue) {
  return fence_between(claimant, queue) != kNone;
}
bool is_own(const Claimant& claimant, const Footprint& place);  // of the claimant's queue
// Whether the claimant may stop the attempt by priority.
bool may_take(const Claimant& claimant, const Subject& subject);
// None that has this priority, or a higher one.
std::int64_t takes_below(const Claimant& claimant);
// Whether it may take back what the attempt holds, if that was lent.
bool may_reclaim(const Claimant& claimant, const Subject& subject);
// The same of jobs of a priority in a queue: all that depends on no usage. It is so of those below this one, in queues
// that it may take something back from at all.
bool may_reclaim_from(const Claimant& claimant, QueueIndex queue);
std::int64_t reclaims_below(const Claimant& claimant);

// As things are now.
Kinds contested_kinds(const Claimant& claimant);
// Whether this is held in a queue that is beyond its nominal in one of the kinds that it has some of,
// and so is each cohort above it up to where it meets the claimant; wholly: they would be no less than that without it.
// Precondition: one tree.
enum class Lent : std::uint8_t { partly, wholly };
bool is_lent(const Claimant& claimant, const Footprint& place, Kinds kinds, Lent how = Lent::partly);
// The same partly, with those who leave still there.
bool is_still_lent(const Claimant& claimant, const Footprint& place, Kinds kinds);
// Whether its queue is beyond its nominal in one of them.
bool is_borrower(const Claimant& claimant, const Footprint& place, Kinds kinds);
// Whether what jobs of the claimant's queue hold that it may take by priority counts for its right to others.
enum class Own : std::uint8_t { counts, aside };
// It may stop those of a lower priority than this in other queues though it does not stay within: to borrow.
std::int64_t borrows_below(const Claimant& claimant);

// Why they may not leave.
struct Unlawful {
  JobId job;  // this one may not be stopped. None: the claimant has no right to all of them
};

// Lets all of them depart; nothing: that is lawful. Precondition: none has departed. `aside`: others that are spared,
// as they would begin again at once, may be why.
std::optional<Unlawful> depart_lawfully(Trial& trial, const Claimant& claimant, const std::vector<Subject>& victims,
                                        Own own);

}  // namespace ym::engine
