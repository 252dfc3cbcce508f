// Room for one job in a flavor: whether a set of victims makes it. What a search tries, it tries here.
#pragma once

#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"
#include "engine/preemption/smaller.h"

namespace ym::engine {

// Victims that are not needless, and where the job runs when they are gone.
struct Found {
  Price price;
  Candidates victims;
  Choice choice;
};

// Puts the better one there.
void keep_better(std::optional<Found>& best, std::optional<Found> other);

// Whether victims may wait, or have to go on smaller (smaller.h).
enum class Stops : std::uint8_t { any, only_shrink };

class Room {
 public:
  Room(Cycle& cycle, Rank rank, const Claimant& claimant, Stops stops = Stops::any);

  const Cycle& cycle() const { return cycle_; }
  const Claimant& claimant() const { return claimant_; }
  Trial& trial() { return cycle_.tried.trial; }
  // Whether a reservation keeps the job off the node, whoever departs.
  bool is_closed(NodeIndex node) const {
    return cycle_.tried.reservations.windows().closing(node, walltime_.until, walltime_.pass) != nullptr;
  }
  void depart(const Candidate& one) { cycle_.tried.trial.depart(one.running->job); }
  void stay(const Candidate& one) { cycle_.tried.trial.stay(one.running->job); }

  // Where the job can run when those have left who leave, those included that have departed; its quota
  // is there then.
  std::optional<Choice> place() const;
  // Whether machines are no matter: there are enough for it, whoever departs.
  bool has_machines() const;
  // Whether, with its own quota claimed, it stays within nominal against each of the queues that those
  // of other queues are in, or may stop them to borrow. Precondition: they have departed.
  bool has_right(const Candidates& gone) { return without_right(beyond_nominal(gone)).empty(); }
  // Those of other queues against which it does not stay within nominal with its own quota claimed.
  Candidates beyond_nominal(const Candidates& candidates);
  // Those of them that it may not stop to borrow either.
  Candidates without_right(Candidates beyond) const;
  // What the job takes from them who run: its place by priority, or what its queue had lent, or what it borrows.
  Preemption::Cause cause_of(const Candidates& victims);

  // Whether those who have departed make room: so that all of them go on, if they have to.
  bool is_enough(const Candidates& gone);
  // All of them depart for a while: what that gives; nothing: it is not lawful, or not enough.
  std::optional<Found> prove(const Candidates& victims);
  // The same without those of its own queue that should run (target.h) and only leave so that the job stays within
  // nominal quota: they would begin again at once where they are. If there are any, what these hold does not count from
  // then on.
  Found without_those_that_come_back(Found found);
  // Those of the victims that go on beside the place that was found for them to leave.
  std::vector<GoingOn> going_on(const Found& found);

 private:
  std::optional<Choice> place_beside_smallest(const Candidates& victims);
  Cycle& cycle_;
  Rank rank_;
  const Claimant& claimant_;
  Walltime walltime_;  // once the last has left
  Stops stops_;
  Own own_ = Own::counts;
};

}  // namespace ym::engine
