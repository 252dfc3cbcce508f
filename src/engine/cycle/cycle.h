// One cycle: its parts, which each phase hands to the next, and the phases.
//
// Inputs is what the cycle reads (inputs.h), PendingEntries the order of the jobs (pending_entries.h), Tried what it
// tries, Findings what it remembers, Output its result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/strong_grid.h"
#include "engine/cycle/inputs.h"
#include "engine/cycle/negative_placement_cache.h"
#include "engine/cycle/new_nodes/provisioned.h"
#include "engine/cycle/order/blocked_backfill.h"
#include "engine/cycle/order/expiring.h"
#include "engine/cycle/pending_entries.h"
#include "engine/cycle/shape_cache.h"
#include "engine/engine.h"
#include "engine/placement/choose.h"
#include "engine/placement/kept_nodes.h"
#include "engine/placement/ratings.h"
#include "engine/preemption/target.h"
#include "engine/quota/decayed_usage.h"
#include "engine/reserve/reservations.h"
#include "engine/state/impl.h"
#include "engine/state/pending_entry.h"
#include "engine/trial.h"

namespace ym::engine {

// A nominated placement, and the jobs that must stop first.
struct RoomMade {
  std::size_t stopping = 0;  // jobs that have not stopped yet
  Instant until;             // the nomination expires then
};

// A job that was admitted in this cycle.
struct TentativeAdmission {
  Footprint place;
  std::size_t decision = 0;      // in the plan
  bool into_nomination = false;  // to its nominated placement
  bool was_tried = false;        // it has also grown by what was free beside that place
};

// The running jobs that jobs of a queue with this priority may stop.
struct KnownYielding {
  std::int32_t priority = 0;
  std::uint64_t touches = 0;  // of the state, when this was found
  // The answer holds for preempting jobs that arrived after the first time and no later than the second
  // (stopped_since.h).
  Instant arrived_after = kNotStopped, arrived_by = kNever;
  Yielding yielding;
};

// The choice as a grant to the job in this slot.
Grant grant_to(Slot slot, const Flavors& flavors, Choice choice);

struct Findings;

// What the cycle tries: tentative admissions, stops, nominated placements and reservations, and what it revokes.
struct Tried {
  explicit Tried(const Inputs& in);

  Trial trial;
  KeptNodes kept_nodes;
  KeptQuota kept_quota;
  Reservations reservations;
  std::uint32_t round = 0;                           // changes when all reservations are made anew
  IndexedVector<QueueIndex, std::int32_t> reserved;  // jobs of the queue with a reservation
  IndexedVector<QueueIndex, Slot> heads;             // first waiting job of a strict queue
  IndexedVector<QueueIndex, Slot> first_short;       // first job without quota for its reservation
  std::optional<DecayedUsage> decayed_usage;         // if some order uses it
  std::map<Slot, TentativeAdmission> tentative;      // admissions of this cycle
  std::vector<std::size_t> revoked;                  // indices of decisions that are revoked
  std::map<JobId, NominationRelease> gave_up;        // jobs that lost their nominated placement
  std::map<JobId, RoomMade> made_room;               // preempting jobs of this cycle
  // Roots of trees in which a queue reclaims quota only because of an admission of this cycle. No admission in these
  // trees is revoked.
  std::set<QueueIndex> admissions_stay;

  bool has_revoked() const { return !revoked.empty(); }
  // Whether quota is in the way of a job with this walltime: now, or when the leaving jobs are gone.
  bool quota_stops(const Inputs& in, const Shape& shape, const Flavors& flavors, const Walltime& walltime,
                   When when = When::now) const;
  // The nodes that a job with this walltime may use.
  Access access(const Inputs& in, const Findings& known, const Walltime& walltime) const;
  // `enter` records a tentative admission. `leave` removes it: the job is not admitted, or gets another place.
  void enter(const Inputs& in, Slot slot, TentativeAdmission admitted);
  void leave(const Inputs& in, Slot slot);
};

// What the cycle has found out, so that it is found only once.
struct Findings {
  explicit Findings(const State::Impl& state);

  mutable Ratings ratings;
  IndexedVector<ShapeIndex, ShapeCache> shape_caches;
  // Of a gang of one flavor, or of a part that has one flavor.
  IndexedGrid<NeedIndex, FlavorIndex, ShapeFlavorCache> shape_flavors;
  NegativePlacementCache full;
  IndexedVector<QueueIndex, std::optional<KnownYielding>> yielding;
  ExpiringLists expiring;
  std::size_t searches = 0;      // for jobs to stop
  std::optional<Target> target;  // found at the first call of target_of
  // A job that is being stopped.
  struct StoppingJob {
    const JobRow* row = nullptr;
    const LiveAttempt* live = nullptr;
  };
  // All jobs that are being stopped, also by this cycle. Found when the cycle first stops a job.
  std::optional<std::vector<StoppingJob>> stopping_jobs;
  // During placement, once it is known: the time at which the first of the leaving jobs becomes overdue.
  std::optional<Instant> expected_until;
  Duration longest_stop;  // until the last running job is gone, if all are stopped now
};

// The result.
struct Output {
  Plan plan;
  std::map<Slot, Provisioned> provisioned;  // nodes that are being made for a job

  // The next cycle starts no later than that.
  void wake_at(Instant time);
};

inline Access Tried::access(const Inputs& in, const Findings& known, const Walltime& walltime) const {
  return {kept_nodes.keepers(),
          reservations,
          walltime,
          {.vacancies = in.state.vacancies,
           .touches = in.state.touch_log,
           .ratings = kept_nodes.any() ? nullptr : &known.ratings,
           .kept = &kept_nodes,
           .allocations = &in.state.allocations}};
}

inline const JobRow& job_of(const Inputs& in, const PendingEntries& pending, Rank rank) {
  return in.state.jobs[pending.entry(rank).slot];
}
inline const Shape& shape_of(const Inputs& in, const PendingEntries& pending, Rank rank) {
  return in.state.shapes[pending.entry(rank).shape];
}

// The parts of a cycle. A function that needs at most three of them takes these instead, in this order.
struct Cycle {
  Cycle(State::Impl& state, const Policy& policy, Instant now);
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;
  ~Cycle() { in.state.spare_entries.give_back(std::move(pending.entries.raw())); }

  Inputs in;
  PendingEntries pending;
  Tried tried;
  Findings known;
  Output out;

  PendingEntry& entry(Rank rank) { return pending.entry(rank); }
  const PendingEntry& entry(Rank rank) const { return pending.entry(rank); }
  Rank rank_of(Slot slot) const { return pending.rank_of(slot); }
  bool is_open(Rank rank) const { return pending.is_open(rank); }
  const JobRow& job(Rank rank) const { return job_of(in, pending, rank); }
  const Shape& shape(Rank rank) const { return shape_of(in, pending, rank); }
  QueueIndex queue_of(Rank rank) const { return entry(rank).queue; }
  ShapeCache& shape_cache(Rank rank) { return known.shape_caches[entry(rank).shape]; }
  const ShapeCache& shape_cache(Rank rank) const { return known.shape_caches[entry(rank).shape]; }
  // The head of its strict queue, if the job is behind it; kNone: it is not.
  Slot head_before(Rank rank) const {
    const Slot head = tried.heads[queue_of(rank)];
    return head == kNone || rank_of(head) >= rank ? Slot{} : head;
  }
  Grant grant(Rank rank, const Flavors& flavors, Choice choice) const {
    return grant_to(entry(rank).slot, flavors, std::move(choice));
  }
};

// The phases, in this order. Each uses the results of the phases before it.

// Which jobs are considered, and in which order.
void order(Cycle& cycle);
// Which flavors each shape may use, and whether they can ever suffice.
void quota(const Inputs& in, Findings& known);
// Which jobs are stopped because their queue is drained.
void drain(const Inputs& in, Tried& tried, Output& out);
// Which jobs are stopped because the quota became smaller.
void shrink(const Inputs& in, Tried& tried, Output& out);
// Which jobs are admitted, and where; which jobs block backfill.
void place(Cycle& cycle);
// Which jobs are stopped, and for which preempting jobs.
void preempt(Cycle& cycle);
// Which jobs are moved to open a place for another.
void consolidate(Cycle& cycle);
// Which elastic jobs get more nodes.
void resize(Cycle& cycle);
// Which nodes to make, and for which jobs.
void provision(Cycle& cycle);
// Why the other jobs wait.
void explain(Cycle& cycle);

// Of order: the status of the job if it has no nominated placement.
EntryStatus status_of(const Inputs& in, const JobRow& job);
// Of preempt, for jobs that prefer preemption to the next flavor.
//   made:      other jobs are stopped for it there, and it has a nominated placement
//   expected:  there will be room when leaving jobs are gone; or the next cycle decides
enum class RoomThere : std::uint8_t { none, made, expected };
RoomThere make_room_there(Cycle& cycle, Rank rank, const Option& option);
// Of place: starts jobs on their nominated placements, or releases these.
void settle_nominations(Cycle& cycle);
// Of place: tries each job, ordered by the shares that the queues have at that moment, and admits it if it fits. A job
// that blocks backfill keeps anew what it waits for. Ends when a round admits no job. So the final order is that of the
// final shares, and the next cycle finds the same.
void place_all(Cycle& cycle);
// A job that was admitted to its nominated placement grows as far as there is room beside that placement.
void grow(Cycle& cycle, Rank rank);
// Precondition: the place is free, and the quota is there.
void admit(Cycle& cycle, Rank rank, const Flavors& flavors, Choice choice);
// Preconditions: it was admitted in this cycle, to a smaller place; what this place adds to that is free.
void admit_larger(Cycle& cycle, Rank rank, Choice choice);
// No job blocks backfill until `refuse` says so again.
void forget_keepers(const Inputs& in, Tried& tried, Findings& known);
// The job waits: in a strict queue no job behind it starts.
void block_jobs_behind(const Inputs& in, const PendingEntries& pending, Tried& tried, Rank rank);
// The job found no place: from now on it keeps what it waits for, if it blocks backfill.
void refuse(Cycle& cycle, Rank rank);

// What the flavor's machines could ever do for a gang of one flavor, or for a part that has one flavor. The reference
// is valid until the next call.
const Hardware& hardware_of(const Inputs& in, const Shape& part, FlavorIndex flavor);
// Whether jobs of the shape can ever run in this option.
bool feasible(const Inputs& in, const Shape& shape, const Option& option);
// The limit that the job would exceed at this size; nothing: none.
std::optional<LimitHit> limit_hit(const Inputs& in, const PendingEntries& pending, Rank rank, std::int32_t nodes);
std::optional<LimitHit> limit_hit(const Inputs& in, const PendingEntries& pending, Rank rank);
// The budget that the job would exceed in these flavors at this size; nothing: none. A job without a time limit exceeds
// each budget that it counts against.
std::optional<BudgetHit> budget_hit(const Inputs& in, const PendingEntries& pending, Rank rank, const Flavors& flavors,
                                    std::int32_t nodes);
std::optional<BudgetHit> budget_hit(const Inputs& in, const PendingEntries& pending, Rank rank, const Flavors& flavors);
// The budgets that a job would exceed in the options in which it could ever run: the first with its flavors, and
// whether the job exceeds one in all of them.
struct OverBudget {
  std::optional<BudgetHit> first;
  Flavors flavors;
  bool everywhere = false;
};
OverBudget over_budget(const Inputs& in, const PendingEntries& pending, const Findings& known, Rank rank);
// A rule of its queue is in its way: it is behind the head of a strict queue, or a limit or budget is reached. It
// blocks no backfill, and no job is stopped for it.
bool is_barred(const Cycle& cycle, Rank rank);
// Whether jobs of the shape could run in this option if others ended, with nothing repaired or changed.
bool only_waits(const Inputs& in, const Shape& shape, const Option& option);

}  // namespace ym::engine
