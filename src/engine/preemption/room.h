// Room for one job in a flavor: checks whether a set of preempted jobs makes it. All trials of a search go through it.
#pragma once

#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"
#include "engine/preemption/smaller.h"

namespace ym::engine {

// Preempted jobs, none of them needless, and where the job runs when they are gone.
struct Found {
  Price price;
  Candidates preempted_jobs;
  Choice choice;
};

// Keeps the better of both in `best`.
void keep_better(std::optional<Found>& best, std::optional<Found> other);

// Whether preempted jobs may wait, or have to continue on fewer nodes (smaller.h).
enum class Stops : std::uint8_t { any, only_shrink };

class Room {
 public:
  Room(Cycle& cycle, Rank rank, const Claimant& claimant, Stops stops = Stops::any);

  const Inventory& inventory() const { return cycle_.in.state.inventory; }
  const Claimant& claimant() const { return claimant_; }
  Trial& trial() { return cycle_.tried.trial; }
  // Whether a waiting job or an advance reservation keeps the job off the node, whichever jobs depart.
  bool is_closed(NodeIndex node) const {
    return cycle_.tried.kept_nodes.keepers()[node] != kNone ||
           cycle_.tried.reservations.advance_reservations().closing(node, walltime_.until, walltime_.pass) != nullptr;
  }
  void depart(const Candidate& one) { cycle_.tried.trial.depart(one.running->job); }
  void stay(const Candidate& one) { cycle_.tried.trial.stay(one.running->job); }

  // Where the job can run when all leaving jobs have left, the departed ones included. Its quota is available then.
  std::optional<Choice> place() const;
  // Whether machines are no obstacle: there are enough for the job even if no job departs.
  bool has_machines() const;
  // With the job's own quota claimed: whether it stays within nominal quota against each of the other queues of
  // `gone`, or may stop these jobs to borrow. Precondition: they have departed.
  bool has_right(const Candidates& gone) { return without_right(beyond_nominal(gone)).empty(); }
  // Candidates of other queues against which the job does not stay within nominal quota, with its own quota claimed.
  Candidates beyond_nominal(const Candidates& candidates);
  // The candidates in `beyond` that it may not stop to borrow either.
  Candidates without_right(Candidates beyond) const;
  // What the job takes from running preempted jobs: a place by priority, lent quota, or what it borrows.
  Preemption::Cause cause_of(const Candidates& preempted_jobs);

  // Whether the departed jobs make room; and also leave room for each to continue, if they must.
  bool is_enough(const Candidates& gone);
  // Lets all of them depart for a while and returns the result; nothing: it is not lawful, or not enough.
  std::optional<Found> prove(const Candidates& preempted_jobs);
  // Removes preempted jobs of the own queue that should run (target.h) and only leave so that the job stays within
  // nominal quota: they would restart at once where they are. If there are any, what they hold does not count from then
  // on.
  Found without_those_that_come_back(Found found);
  // Preempted jobs that continue beside the place that was found for the job.
  std::vector<GoingOn> going_on(const Found& found);

 private:
  std::optional<Choice> place_beside_smallest(const Candidates& preempted_jobs);
  Cycle& cycle_;
  Rank rank_;
  const Claimant& claimant_;
  Walltime walltime_;  // when the last preempted job has left
  Stops stops_;
  Own own_ = Own::counts;
};

}  // namespace ym::engine
