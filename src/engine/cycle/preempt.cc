// Who is stopped for whom.
//
// Jobs that found no place are looked at in order. Who will find room when those have left who
// leave already waits for that: the room is expected for it, and nobody else is stopped for it. Who
// should have left for longer than the policy's margin is not counted on any more.
// For the others the best lawful plan is searched; what it takes is taken at once, so that two
// jobs never count on the same victims or the same place. Jobs that keep nodes or quota from
// those behind them keep them here too.
//
// Jobs in the target (preemption/target.h) have the first turn. A promise to a job outside of the target does not bind
// them, and no job is stopped only to keep such a promise. What an old job keeps binds them, and so does the head of a
// strict queue. The other jobs have the second turn.
//
// Those behind may stop no more than those before them: where one of a queue is not helped, none is
// that asks for as much. Whether it has helped them that others left is seen in the next round.
//
// An admission of this cycle can be a victim, too. The target protects it only if a place was kept for it. It is taken
// back, so that no job starts only to be stopped. If that alone makes room, the job is admitted at once. So this is
// tried for all jobs before a job that runs is stopped for one of them. Where such a stop rests on an admission
// (the queue holds what was lent only because of it), the admissions of that tree are not taken back. It is not seen
// that quota may be taken back only because of what an admission borrows that leaves with it: that is for the next
// cycle.
//
// Whoever was kept back only by a job that has room now may go on: places are looked for once
// more, and then victims, until nobody is stopped; for as many rounds as jobs wait at most.
#include <algorithm>
#include <tuple>

#include "engine/cycle/age.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/make_room.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/revoke.h"
#include "engine/cycle/stoppable.h"
#include "engine/cycle/turn.h"
#include "engine/preemption/hopeless.h"
#include "engine/preemption/search.h"

namespace ym::engine {
namespace {

// One pass over the jobs that found no place: first for those in the target, then for the others.
class PreemptionPass {
 public:
  PreemptionPass(Cycle& cycle, const Roster& roster)
      : cycle_(cycle),
        roster_(roster),
        refused_(cycle.known.shape_caches.size()),
        expects_(cycle.line_up.order.size()) {}

  // Whether somebody is stopped, or an admission taken back.
  bool run() {
    forget_keepers(cycle_);
    expected_until_ = doubt_overdue(cycle_);
    for (const Rank rank : cycle_.line_up.order.indices()) {
      if (!may_ask(rank)) continue;
      if (is_in_target(rank)) look_at(rank);
      else pass_by(rank);
    }
    forget_keepers(cycle_);
    for (const Rank rank : cycle_.line_up.order.indices()) {
      if (!may_ask(rank)) continue;
      if (is_in_target(rank)) wait(rank);
      else look_at(rank);
    }
    cycle_.tried.trial.release_expected();
    return stopped_;
  }

 private:
  bool may_ask(Rank rank) { return cycle_.is_open(rank) && !is_barred(cycle_, rank); }
  bool is_in_target(Rank rank) { return target_of(cycle_).has(cycle_.entry(rank).slot); }

  // Its turn comes later. It is promised nothing yet, unless it is old.
  void pass_by(Rank rank) {
    const PendingEntry& entry = cycle_.entry(rank);
    if (is_old(cycle_.in, entry)) refuse(cycle_, rank);
    else if (may_wait(cycle_, entry.shape)) hold_line(cycle_, rank);
  }

  // It has had its turn.
  void wait(Rank rank) {
    if (expects_[rank]) hold_line(cycle_, rank);
    else refuse(cycle_, rank);
  }

  void look_at(Rank rank) {
    const bool enough = cycle_.tried.made_room.size() >= kMostHelped;
    if (enough) cycle_.out.wake_at(cycle_.in.now);
    if (enough || is_hopeless(rank)) return refuse(cycle_, rank);
    if (expects_room(cycle_, rank)) {
      if (expected_until_ != Running::kNever) cycle_.out.wake_at(expected_until_);
      expects_[rank] = true;
      hold_line(cycle_, rank);
      return;
    }
    if (find_room(rank)) stopped_ = true;
    else refuse(cycle_, rank);
  }

  bool is_hopeless(Rank rank) {
    const PendingEntry& entry = cycle_.entry(rank);
    // Of one shape most are, and while nothing is taken the answer to the next is the last one.
    const JobRow& job = cycle_.job(rank);
    const std::size_t stops_before = roster_.stops_before(job.arrived_at);
    const Refused now{.priority = entry.priority,
                      .taken = cycle_.in.state.trial.size(),
                      .epoch = cycle_.tried.trial.epoch(),
                      .stops_before = stops_before};
    Refused& last = refused_[entry.shape];
    if (last == now && std::tuple(entry.submitted_at, entry.id) >= std::tuple(last.submitted_at, last.id)) return true;
    const bool hopeless = hopeless_.covers(job, stops_before, cycle_.shape(rank), [&](const Flavors& flavors) {
      return contested_kinds(claimant_of(cycle_, rank, flavors));
    });
    if (!hopeless) return false;
    last = now;
    last.submitted_at = entry.submitted_at;
    last.id = entry.id;
    return true;
  }

  bool is_shut_out(Rank rank) const {
    const Walltime walltime = walltime_of(cycle_, rank);
    return cycle_.tried.reservations.windows().closes_any(walltime.until, walltime.pass);
  }

  bool find_room(Rank rank) {
    Instant next = Running::kNever;
    Hopeless::Contested contested;
    bool is_like_others = !is_shut_out(rank), some_are_spent = false;
    for (const Option& option : cycle_.shape_cache(rank).options) {
      if (!only_waits(cycle_.in, cycle_.shape(rank), option)) continue;
      // Cheaper jobs of the shape may have it.
      if (cycle_.budget_hit(rank, option.flavors)) {
        is_like_others = false;
        continue;
      }
      ++cycle_.known.searches;
      RoomSearch search = search_room(cycle_, rank, option.flavors, roster_);
      if (search.plan) {
        make_room(cycle_, rank, option.flavors, std::move(*search.plan));
        return true;
      }
      next = std::min(next, search.next_unspared);
      contested.emplace_back(option.flavors, search.contested);
      some_are_spent = some_are_spent || search.some_are_spent;
    }
    if (next != Running::kNever) cycle_.out.wake_at(next);
    // Of one that can never run nothing is known for others, nor of one from which nodes are set aside.
    if (contested.empty() || !is_like_others) return false;
    const JobRow& job = cycle_.job(rank);
    const std::size_t stops_before =
        some_are_spent ? roster_.stops_before(job.arrived_at) : Hopeless::kWheneverItArrives;
    hopeless_.add(job, stops_before, cycle_.shape(rank), std::move(contested));
    return false;
  }

  Cycle& cycle_;
  const Roster& roster_;
  struct Refused {
    std::int32_t priority = 0;
    std::size_t taken = 0;
    std::uint64_t epoch = 0;
    std::size_t stops_before = 0;
    Instant submitted_at{};
    JobId id{};
    bool operator==(const Refused& other) const {
      return priority == other.priority && taken == other.taken && epoch == other.epoch &&
             stops_before == other.stops_before;
    }
  };

  Instant expected_until_;
  Hopeless hopeless_;
  IndexedVector<ShapeIndex, Refused> refused_;
  IndexedVector<Rank, bool> expects_;  // the job will have room when the jobs that leave have left
  bool stopped_ = false;
};

// A job that was admitted after the target was found still waits in that target.
void renew_target(Cycle& cycle, std::size_t& admitted) {
  if (cycle.tried.tentative.size() != admitted) cycle.known.target.reset();
  admitted = cycle.tried.tentative.size();
}

bool stop_some(Cycle& cycle) {
  if (!somebody_leaves(cycle) && !anybody_may_be_stopped(cycle)) return false;
  cycle.known.longest_stop = longest_stop(cycle.in);
  if (!cycle.tried.tentative.empty()) {
    const Roster tentative(cycle, Roster::Whom::tentative);
    if (PreemptionPass(cycle, tentative).run()) return true;
  }
  const Roster all(cycle, Roster::Whom::all);
  return PreemptionPass(cycle, all).run();
}

}  // namespace

void preempt(Cycle& cycle) {
  if (!cycle.in.policy.preempt_phase || !cycle.in.policy.place_phase) return;
  if (cycle.in.state.live.empty() && cycle.tried.tentative.empty()) return;
  if (!cycle.line_up.some_are_open()) return;
  std::size_t admitted = 0;
  renew_target(cycle, admitted);
  for (auto rounds = cycle.line_up.order.size(); rounds > 0 && stop_some(cycle); --rounds) {
    place_all(cycle);
    renew_target(cycle, admitted);
    if (cycle.known.searches < kMostSearches) continue;
    cycle.out.wake_at(cycle.in.now);
    break;
  }
  // Who expects room kept nothing above, and does until it has it.
  if (somebody_leaves(cycle)) place_all(cycle);
  forget_expected(cycle);
  tidy_plan(cycle.tried, cycle.out);
}

}  // namespace ym::engine
