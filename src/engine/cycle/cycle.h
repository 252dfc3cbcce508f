// One cycle: its parts, which its phases hand from one to the next, and the phases.
//
// Inputs is what is read (inputs.h), LineUp the order of the jobs (line_up.h), Tried what is tried, Findings what is
// remembered, Output what comes out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/cycle/blocked_backfill.h"
#include "engine/cycle/expiring.h"
#include "engine/cycle/inputs.h"
#include "engine/cycle/line_up.h"
#include "engine/cycle/negative_placement_cache.h"
#include "engine/cycle/provisioned.h"
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

// A place that becomes free for a job.
struct RoomMade {
  std::size_t stopping = 0;  // jobs that still have to leave
  Instant until;             // the place is kept until then
};

// A job that was admitted in this cycle.
struct TentativeAdmission {
  Footprint place;
  std::size_t decision = 0;      // in the plan
  bool into_nomination = false;  // to a place that was kept for it
  bool had_turn = false;         // it has also got what there was beside that place
};

// What yields to the jobs of a queue that have this priority.
struct KnownYielding {
  std::int32_t priority = 0;
  std::uint64_t touches = 0;  // of the state, when this was found
  // The jobs that arrived after the first and no later than the second may stop the same jobs (once.h).
  Instant arrived_after = kNotStopped, arrived_by = kNever;
  Yielding yielding;
};

// A choice as what the job in this slot is given.
Grant grant_to(Slot slot, const Flavors& flavors, Choice choice);

// What the cycle tries: what it admits, stops and keeps, and what it takes back again.
struct Tried {
  explicit Tried(const Inputs& in);

  Trial trial;
  KeptNodes kept_nodes;
  KeptQuota kept_quota;
  Reservations reservations;
  std::uint32_t round = 0;                           // changes when all reservations are given anew
  IndexedVector<QueueIndex, std::int32_t> reserved;  // how many jobs of the queue hold a reservation
  IndexedVector<QueueIndex, Slot> heads;             // of a strict queue: the first of its jobs that waits
  IndexedVector<QueueIndex, Slot> first_short;       // the first job of the queue that lacked quota for a reservation
  std::optional<DecayedUsage> decayed_usage;         // if any order goes by it
  std::map<Slot, TentativeAdmission> tentative;      // the jobs that are admitted in this cycle
  std::vector<std::size_t> revoked;                  // admissions of the plan that are taken back: they are not made
  std::map<JobId, NominationRelease> gave_up;        // jobs whose kept places others have now
  std::map<JobId, RoomMade> made_room;               // jobs for which this cycle stops others
  // Roots of trees in which a queue takes back what another holds only because of an admission of this cycle. None of
  // their admissions is taken back.
  std::set<QueueIndex> admissions_stay;

  bool has_revoked() const { return !revoked.empty(); }
};

// What the cycle has found out and remembers, so that it is found once.
struct Findings {
  explicit Findings(const State::Impl& state);

  mutable Ratings ratings;
  IndexedVector<ShapeIndex, ShapeCache> shape_caches;
  std::vector<ShapeFlavorCache> shape_flavors;  // by need and flavor
  NegativePlacementCache full;
  IndexedVector<QueueIndex, std::optional<KnownYielding>> yielding;
  ExpiringLists expiring;
  std::size_t searches = 0;      // for victims
  std::optional<Target> target;  // found when it is first asked for (target_of)
  // A job that leaves.
  struct Leaver {
    const JobRow* row = nullptr;
    const LiveAttempt* live = nullptr;
  };
  // All that leave, also for this cycle. Found when the cycle first stops a job.
  std::optional<std::vector<Leaver>> leavers;
  // While places are looked for, once this was asked for: until when the jobs that leave are expected to be gone.
  std::optional<Instant> expected_until;
  Duration longest_stop;  // of all that may have to leave, until the last is gone
};

// What comes out.
struct Output {
  Plan plan;
  std::map<Slot, Provisioned> provisioned;  // nodes that are being made for a job

  // The next cycle is no later than that.
  void wake_at(Instant time);
};

// The parts of a cycle, and what is asked of several of them at once. A function that needs one part only takes that.
struct Cycle {
  Cycle(State::Impl& state, const Policy& policy, Instant now);
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;
  ~Cycle() { in.state.spare_entries.give_back(std::move(line_up.entries.raw())); }

  Inputs in;
  LineUp line_up;
  Tried tried;
  Findings known;
  Output out;

  PendingEntry& entry(Rank rank) { return line_up.entry(rank); }
  const PendingEntry& entry(Rank rank) const { return line_up.entry(rank); }
  Rank rank_of(Slot slot) const { return line_up.rank_of(slot); }
  bool is_open(Rank rank) const { return line_up.is_open(rank); }
  const JobRow& job(Rank rank) const { return in.state.jobs[entry(rank).slot]; }
  const Shape& shape(Rank rank) const { return in.state.shapes[entry(rank).shape]; }
  QueueIndex queue_of(Rank rank) const { return entry(rank).queue; }
  ShapeCache& shape_cache(Rank rank) { return known.shape_caches[entry(rank).shape]; }
  // Of a gang of one flavor, or of a part that is of one.
  std::size_t shape_flavor_index(const Shape& part, FlavorIndex flavor) const {
    return std::size_t{part.need_index.value} * in.state.inventory.flavor_names.size() + flavor.value;
  }
  ShapeFlavorCache& shape_flavor(const Shape& part, FlavorIndex flavor) {
    return known.shape_flavors[shape_flavor_index(part, flavor)];
  }
  // Whether quota is in the way of a job that would have it for this tenure: now, or when the jobs that leave have
  // left.
  bool quota_stops(const Shape& shape, const Flavors& flavors, const Walltime& walltime, When when = When::now) const;
  // The limit of running jobs that stands in the job's way at this size; nothing: none.
  std::optional<LimitHit> limit_hit(Rank rank, std::int32_t nodes) const;
  std::optional<LimitHit> limit_hit(Rank rank) const { return limit_hit(rank, shape(rank).nodes); }
  // The budget that the job would exceed in these flavors at this size; nothing: none. Without a time limit it exceeds
  // any that it counts against.
  std::optional<BudgetHit> budget_hit(Rank rank, const Flavors& flavors, std::int32_t nodes) const;
  std::optional<BudgetHit> budget_hit(Rank rank, const Flavors& flavors) const {
    return budget_hit(rank, flavors, shape(rank).nodes);
  }
  // The job of a strict queue that it is behind; kNone: none.
  Slot head_before(Rank rank) const {
    const Slot head = tried.heads[queue_of(rank)];
    return head == kNone || rank_of(head) >= rank ? Slot{} : head;
  }
  // The nodes that a job with this tenure may use.
  Access access(const Walltime& walltime) const {
    return {tried.kept_nodes.keepers(),
            tried.reservations,
            walltime,
            {.vacancies = in.state.vacancies,
             .touches = in.state.touch_log,
             .ratings = tried.kept_nodes.any() ? nullptr : &known.ratings,
             .kept = &tried.kept_nodes,
             .allocations = &in.state.allocations}};
  }
  Grant grant(Rank rank, const Flavors& flavors, Choice choice) const {
    return grant_to(entry(rank).slot, flavors, std::move(choice));
  }
  // It is admitted; and is not after all, or to another place.
  void enter(Rank rank, TentativeAdmission admitted);
  void leave(Rank rank);
  // Precondition: it was admitted in this cycle.
  TentativeAdmission& tentative_of(Rank rank) { return tried.tentative.at(entry(rank).slot); }
};

// The phases, in this order. Each is a function of what the phases before it left.

// Which jobs are considered, and in which order.
void order(Cycle& cycle);
// Which flavors each shape may use, and whether they can ever suffice.
void quota(const Inputs& in, Findings& known);
// Which jobs are stopped because their queue is drained.
void drain(const Inputs& in, Tried& tried, Output& out);
// Which jobs are stopped because the quota became smaller.
void shrink(Cycle& cycle);
// Which jobs are admitted, and where; which jobs the others may not pass.
void place(Cycle& cycle);
// Which jobs are stopped for which.
void preempt(Cycle& cycle);
// Which jobs are moved to open a place for another.
void consolidate(Cycle& cycle);
// Which jobs go on with more nodes.
void resize(Cycle& cycle);
// Which nodes that do not exist yet are asked for, and for which jobs.
void provision(Cycle& cycle);
// Why the other jobs wait.
void explain(Cycle& cycle);

// Of order: how the job stands if no place is kept for it.
EntryStatus status_of(const Inputs& in, const JobRow& job);
// Of preempt, for jobs that prefer it to the next flavor.
//   made:      others are stopped for it there, and its place is kept
//   expected:  there will be room, as others leave already; or it is for the next cycle to say
enum class RoomThere : std::uint8_t { none, made, expected };
RoomThere make_room_there(Cycle& cycle, Rank rank, const Option& option);
// Of place: what is kept for jobs is given to them, or released.
void settle_nominations(Cycle& cycle);
// Of place: each job has its turn, by the shares of the queues at that time, and is admitted if it fits. A job that may
// not be passed keeps anew what it waits for. Ends when a round admits no job: so the order in the end is that of the
// shares in the end, which the next cycle finds too.
void place_all(Cycle& cycle);
// A job that was admitted to a place kept for it becomes as large as there is room for beside that place.
void grow(Cycle& cycle, Rank rank);
// Precondition: the place is free, and the quota is there.
void admit(Cycle& cycle, Rank rank, const Flavors& flavors, Choice choice);
// Preconditions: it was admitted in this cycle, to a smaller place; this one is free beside that.
void admit_larger(Cycle& cycle, Rank rank, Choice choice);
// No job keeps anything, until `refuse` says so again.
void forget_keepers(Cycle& cycle);
// The job waits: in a strict queue no job behind it begins.
void hold_line(Cycle& cycle, Rank rank);
// The job found no place: from now on it keeps what it waits for, if it may not be passed.
void refuse(Cycle& cycle, Rank rank);

// What the flavor's machines could ever do for a gang of one flavor, or for a part that is. It stays until the next
// question.
const Hardware& hardware_of(const Inputs& in, const Shape& part, FlavorIndex flavor);
// Whether jobs of the shape can ever run in this option.
bool feasible(const Inputs& in, const Shape& shape, const Option& option);
// The budgets that a job would exceed in the options in which it could ever run: the first, with its flavor; and
// whether it would in all of them.
struct OverBudget {
  std::optional<BudgetHit> first;
  Flavors flavors;
  bool everywhere = false;
};
OverBudget over_budget(Cycle& cycle, Rank rank);
// A rule of its queue is in its way: it is behind the head, or beyond a limit of what runs or a budget. It keeps
// nothing from other jobs, and no job is stopped for it.
bool is_barred(Cycle& cycle, Rank rank);
// Whether jobs of the shape could run in this option if others ended, with nothing repaired or changed.
bool only_waits(const Inputs& in, const Shape& shape, const Option& option);

}  // namespace ym::engine
