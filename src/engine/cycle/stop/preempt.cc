// Which jobs are stopped, and for which preempting jobs.
//
// Jobs without a place are tried in order. A job that will have room when the leaving jobs are gone waits for that: the
// room is reserved for it, and no other job is stopped for it. A job that is overdue by more than the policy's margin
// does not count as leaving any more. For the other jobs the best lawful plan is searched. What it takes is taken at
// once, so that no two jobs count on the same preempted jobs or the same place. Jobs that block backfill do so here
// too.
//
// Jobs in the target (preemption/target.h) are tried first. A reservation of a job outside of the target does not bind
// them, and no job is stopped only to keep such a reservation. What an old job keeps binds them, and so does the head
// of a strict queue. The other jobs are tried second.
//
// A job may stop no more than the jobs before it. Where the search fails for one job of a queue, it fails for each job
// behind it that asks for as much. The next round sees whether other stops have helped.
//
// A tentative admission can be a preempted job, too. The target protects it only if it is to a nominated placement. It
// is revoked, so that no job starts only to be stopped. If that alone makes room, the job is admitted at once. So this
// is tried for all jobs before a running job is stopped for one of them. Where such a stop depends on an admission
// (only with it does the queue hold borrowed quota), the admissions of that tree are not revoked. One case is left to
// the next cycle: quota that may be reclaimed only because of what an admission borrows, where that admission is
// revoked at the same time.
//
// A job that was blocked only by a job that has room now may go on. So placement runs again, and then the search for
// preempted jobs, until no job is stopped; at most as many rounds as jobs wait.
#include <algorithm>
#include <tuple>

#include "engine/cycle/cycle.h"
#include "engine/cycle/order/age.h"
#include "engine/cycle/place.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/make_room.h"
#include "engine/cycle/stop/revoke.h"
#include "engine/cycle/stop/stoppable.h"
#include "engine/preemption/negative_preemption_cache.h"
#include "engine/preemption/search.h"

namespace ym::engine {
namespace {

// One pass over the jobs without a place: first those in the target, then the others.
class PreemptionPass {
 public:
  PreemptionPass(Cycle& cycle, const PreemptibleJobs& preemptible)
      : cycle_(cycle),
        preemptible_(preemptible),
        refused_(cycle.known.shape_caches.size()),
        expects_(cycle.pending.order.size()) {}

  // Whether a job is stopped, or an admission revoked.
  bool run() {
    forget_keepers(cycle_.in, cycle_.tried, cycle_.known);
    expected_until_ = mark_overdue(cycle_.in, cycle_.tried);
    for (const Rank rank : cycle_.pending.order.indices()) {
      if (!may_ask(rank)) continue;
      if (is_in_target(rank)) look_at(rank);
      else pass_by(rank);
    }
    forget_keepers(cycle_.in, cycle_.tried, cycle_.known);
    for (const Rank rank : cycle_.pending.order.indices()) {
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

  // It is tried in the second pass. Unless it is old, it gets no reservation yet.
  void pass_by(Rank rank) {
    const PendingEntry& entry = cycle_.entry(rank);
    if (is_old(cycle_.in, entry)) refuse(cycle_, rank);
    else if (may_wait(cycle_.in, cycle_.known, entry.shape))
      block_jobs_behind(cycle_.in, cycle_.pending, cycle_.tried, rank);
  }

  // It was tried in the first pass.
  void wait(Rank rank) {
    if (expects_[rank]) block_jobs_behind(cycle_.in, cycle_.pending, cycle_.tried, rank);
    else refuse(cycle_, rank);
  }

  void look_at(Rank rank) {
    const bool enough = cycle_.tried.made_room.size() >= kMostHelped;
    if (enough) cycle_.out.wake_at(cycle_.in.now);
    if (enough || is_known_to_fail(rank)) return refuse(cycle_, rank);
    if (expects_room(cycle_, rank)) {
      if (expected_until_ != Running::kNever) cycle_.out.wake_at(expected_until_);
      expects_[rank] = true;
      block_jobs_behind(cycle_.in, cycle_.pending, cycle_.tried, rank);
      return;
    }
    if (find_room(rank)) stopped_ = true;
    else refuse(cycle_, rank);
  }

  bool is_known_to_fail(Rank rank) {
    const PendingEntry& entry = cycle_.entry(rank);
    // Fast path: while the trial has not changed, the last answer for the shape holds for the next job of it.
    const JobRow& job = cycle_.job(rank);
    const std::size_t stops_before = preemptible_.stops_before(job.arrived_at);
    const Refused now{.priority = entry.priority,
                      .taken = cycle_.in.state.trial.size(),
                      .epoch = cycle_.tried.trial.epoch(),
                      .stops_before = stops_before};
    Refused& last = refused_[entry.shape];
    if (last == now && std::tuple(entry.submitted_at, entry.id) >= std::tuple(last.submitted_at, last.id)) return true;
    const bool covered = negative_cache_.covers(job, stops_before, cycle_.shape(rank), [&](const Flavors& flavors) {
      return contested_kinds(claimant_of(cycle_.in, cycle_.pending, rank, flavors));
    });
    if (!covered) return false;
    last = now;
    last.submitted_at = entry.submitted_at;
    last.id = entry.id;
    return true;
  }

  bool is_shut_out(Rank rank) const {
    const Walltime walltime = walltime_of(cycle_.in, cycle_.pending, cycle_.tried, rank);
    return cycle_.tried.reservations.advance_reservations().closes_any(walltime.until, walltime.pass);
  }

  bool find_room(Rank rank) {
    Instant next = Running::kNever;
    NegativePreemptionCache::Contested contested;
    bool is_like_others = !is_shut_out(rank), some_were_stopped_since = false;
    for (const Option& option : cycle_.shape_cache(rank).options) {
      if (!only_waits(cycle_.in, cycle_.shape(rank), option)) continue;
      // A job of the shape with a smaller cost may fit into the budget.
      if (budget_hit(cycle_.in, cycle_.pending, rank, option.flavors)) {
        is_like_others = false;
        continue;
      }
      ++cycle_.known.searches;
      RoomSearch search = search_room(cycle_, rank, option.flavors, preemptible_);
      if (search.plan) {
        make_room(cycle_, rank, option.flavors, std::move(*search.plan));
        return true;
      }
      next = std::min(next, search.next_unspared);
      contested.emplace_back(option.flavors, search.contested);
      some_were_stopped_since = some_were_stopped_since || search.some_were_stopped_since;
    }
    if (next != Running::kNever) cycle_.out.wake_at(next);
    // A job that can never run says nothing about other jobs, nor does one that advance reservations shut out.
    if (contested.empty() || !is_like_others) return false;
    const JobRow& job = cycle_.job(rank);
    const std::size_t stops_before = some_were_stopped_since ? preemptible_.stops_before(job.arrived_at)
                                                             : NegativePreemptionCache::kWheneverItArrives;
    negative_cache_.add(job, stops_before, cycle_.shape(rank), std::move(contested));
    return false;
  }

  Cycle& cycle_;
  const PreemptibleJobs& preemptible_;
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
  NegativePreemptionCache negative_cache_;
  IndexedVector<ShapeIndex, Refused> refused_;
  IndexedVector<Rank, bool> expects_;  // will have room when the leaving jobs are gone
  bool stopped_ = false;
};

// The target is stale when admissions have changed: it still lists an admitted job as waiting.
void renew_target(const Tried& tried, Findings& known, std::size_t& admitted) {
  if (tried.tentative.size() != admitted) known.target.reset();
  admitted = tried.tentative.size();
}

bool stop_some(Cycle& cycle) {
  if (!some_jobs_leave(cycle.in, cycle.tried) && !some_jobs_may_be_stopped(cycle.in, cycle.pending)) return false;
  cycle.known.longest_stop = longest_stop(cycle.in);
  if (!cycle.tried.tentative.empty()) {
    const PreemptibleJobs tentative(cycle.in, cycle.pending, cycle.tried, PreemptibleJobs::Include::tentative);
    if (PreemptionPass(cycle, tentative).run()) return true;
  }
  const PreemptibleJobs all(cycle.in, cycle.pending, cycle.tried, PreemptibleJobs::Include::all);
  return PreemptionPass(cycle, all).run();
}

}  // namespace

void preempt(Cycle& cycle) {
  if (!cycle.in.policy.preempt_phase || !cycle.in.policy.place_phase) return;
  if (cycle.in.state.live.empty() && cycle.tried.tentative.empty()) return;
  if (!cycle.pending.some_are_open()) return;
  std::size_t admitted = 0;
  renew_target(cycle.tried, cycle.known, admitted);
  for (auto rounds = cycle.pending.order.size(); rounds > 0 && stop_some(cycle); --rounds) {
    place_all(cycle);
    renew_target(cycle.tried, cycle.known, admitted);
    if (cycle.known.searches < kMostSearches) continue;
    cycle.out.wake_at(cycle.in.now);
    break;
  }
  // A job that expects room blocked no backfill above. It does so from here on until it has its room.
  if (some_jobs_leave(cycle.in, cycle.tried)) place_all(cycle);
  forget_expected(cycle.tried, cycle.known);
  tidy_plan(cycle.tried, cycle.out);
}

}  // namespace ym::engine
