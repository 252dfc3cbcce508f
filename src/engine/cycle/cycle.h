// One cycle: what its phases hand from one to the next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/cycle/expiring.h"
#include "engine/cycle/full.h"
#include "engine/cycle/passing.h"
#include "engine/cycle/provided.h"
#include "engine/cycle/shape_case.h"
#include "engine/engine.h"
#include "engine/placement/choose.h"
#include "engine/placement/kept_nodes.h"
#include "engine/placement/ratings.h"
#include "engine/preemption/target.h"
#include "engine/quota/lately.h"
#include "engine/reserve/reservations.h"
#include "engine/state/impl.h"
#include "engine/state/seat.h"
#include "engine/trial.h"

namespace ym::engine {

// A place that becomes free for a job.
struct RoomMade {
  std::size_t stopping = 0;  // so many still have to leave
  Instant until;             // it is kept until then
};

// Who was admitted in this cycle.
struct Fresh {
  Footprint place;
  std::size_t decision = 0;  // in the plan
  bool into_hold = false;    // where a place was kept for it
  bool had_turn = false;     // beside that place it has got what there was
};

// Who yields to the jobs of a queue that have this priority.
struct KnownYielding {
  std::int32_t priority = 0;
  std::uint64_t touches = 0;  // as of when
  // Those that arrived after the one and no later than the other may stop the same (once.h).
  Instant arrived_after = kNotStopped, arrived_by = kNever;
  Yielding yielding;
};

// A choice as what the job in this slot is given.
Grant grant_to(Slot slot, const Flavors& flavors, Choice choice);

struct Cycle {
  Cycle(State::Impl& state_, const Policy& policy_, Instant now_);
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;
  ~Cycle() { state.spare_seats.give_back(std::move(seats.raw())); }

  State::Impl& state;
  const Policy& policy;
  Instant now;
  Scorer scorer;
  mutable Ratings ratings;
  Trial trial;
  IndexedVector<QueueIndex, const Queue*> rules;  // by queue; null: it does not exist
  // The seats of the jobs that are considered: queue by queue, each in the order of its jobs. Then those of the others.
  IndexedVector<SeatIndex, Seat> seats;
  IndexedVector<QueueIndex, SeatIndex> lines;  // by queue: where its seats begin
  IndexedVector<QueueIndex, SeatIndex>
      line_ends;  // by queue: where they end; the seats from there to the next line are empty
  IndexedVector<Rank, SeatIndex> order;
  IndexedVector<Slot, SeatIndex> seat_of;
  IndexedVector<SeatIndex, Rank> rank_at;
  std::vector<SeatIndex> placed;  // the seats whose jobs are placed (Seat::placed)
  Rank considered{0};             // the end of the ranks of the jobs that are considered; the others come behind
  IndexedVector<ShapeIndex, ShapeCase> cases;
  std::vector<Ground> grounds;  // by need and flavor
  Full full;
  KeptNodes kept_nodes;
  KeptQuota kept_quota;
  Reservations reservations;
  std::uint32_t round = 0;                           // changes when all reservations are given anew
  IndexedVector<QueueIndex, std::int32_t> reserved;  // by queue: how many of its jobs hold one
  IndexedVector<QueueIndex, Slot> heads;  // by queue: the slot of the first of its jobs that waits, if it is strict
  IndexedVector<QueueIndex, Slot> first_short;  // by queue: the slot of the first of its jobs that lacked quota for one
  IndexedVector<QueueIndex, std::optional<KnownYielding>> yielding;  // by queue
  ExpiringLists expiring;
  std::optional<Lately> lately;          // if any order goes by it
  std::map<Slot, Fresh> fresh;           // admitted in this cycle, by slot
  std::vector<std::size_t> undone;       // admissions of the plan that are taken back: they are not made
  std::map<JobId, HoldRelease> gave_up;  // whose kept place others have now
  std::map<JobId, RoomMade> made_room;   // for whom this cycle stops others
  // Roots of trees in which a queue takes back what another holds only because of an admission of this cycle. None of
  // their admissions is taken back.
  std::set<QueueIndex> admissions_stay;
  std::map<Slot, Provided> provided;  // nodes that are being made, by slot of the job
  std::size_t searches = 0;           // for victims
  std::optional<Target> target;       // found when it is first asked for (target_of)
  // Who leaves, those included whom this cycle stops, once it stops somebody.
  struct Leaver {
    const JobRow* row = nullptr;
    const LiveAttempt* live = nullptr;
  };
  std::optional<std::vector<Leaver>> leavers;
  // While places are looked for and somebody asked for it: until when it is expected that who leaves does.
  std::optional<Instant> expected_until;
  Duration longest_stop;  // of all who may have to leave, until the last is gone
  Plan plan;

  Seat& seat(Rank rank) { return seats[order[rank]]; }
  const Seat& seat(Rank rank) const { return seats[order[rank]]; }
  Rank rank_of(Slot slot) const { return rank_at[seat_of[slot]]; }
  bool is_open(Rank rank) const { return seat(rank).standing == Standing::open; }
  bool some_are_open() const;
  const JobRow& job(Rank rank) const { return state.jobs[seat(rank).slot]; }
  const Shape& shape(Rank rank) const { return state.shapes[seat(rank).shape]; }
  QueueIndex queue_of(Rank rank) const { return seat(rank).queue; }
  ShapeCase& case_of(Rank rank) { return cases[seat(rank).shape]; }
  // Of one that is of one flavor, or of a part that is.
  std::size_t ground_index(const Shape& part, FlavorIndex flavor) const {
    return std::size_t{part.need_index.value} * state.inventory.flavor_names.size() + flavor.value;
  }
  Ground& ground(const Shape& part, FlavorIndex flavor) { return grounds[ground_index(part, flavor)]; }
  // Whether quota stands in the way of one who would have it for so long: now, or when those who leave
  // have left.
  bool quota_stops(const Shape& shape, const Flavors& flavors, const Tenure& tenure, When when = When::now) const;
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
    const Slot head = heads[queue_of(rank)];
    return head == kNone || rank_of(head) >= rank ? kNone : head;
  }
  // The nodes that one may use who would have them for so long.
  Access access(const Tenure& tenure) const {
    return {kept_nodes.keepers(),
            reservations,
            tenure,
            {.vacancies = state.vacancies,
             .touches = state.touch_log,
             .ratings = kept_nodes.any() ? nullptr : &ratings,
             .kept = &kept_nodes,
             .stays = &state.stays}};
  }
  Grant grant(Rank rank, const Flavors& flavors, Choice choice) const {
    return grant_to(seat(rank).slot, flavors, std::move(choice));
  }
  // It is admitted; and is not after all, or to another place.
  void enter(Rank rank, Fresh admitted);
  void leave(Rank rank);
  // Precondition: it was admitted in this cycle.
  Fresh& fresh_of(Rank rank) { return fresh.at(seat(rank).slot); }
  // The job in the seat gets this rank, and the job that had it gets the rank of that one. Both are considered.
  void set_rank(SeatIndex seat, Rank rank);
  void wake_at(Instant time);
  bool took_back() const { return !undone.empty(); }
};

// The phases, in this order. Each is a function of what those before it left.
void order(Cycle& cycle);        // who is considered, and in which order
void quota(Cycle& cycle);        // which flavors each shape may use, and whether they can ever suffice
void place(Cycle& cycle);        // who is admitted, and where; whom the others may not pass
void drain(Cycle& cycle);        // who is stopped because his queue is drained
void shrink(Cycle& cycle);       // and because its quota was made smaller
void preempt(Cycle& cycle);      // who is stopped for whom
void consolidate(Cycle& cycle);  // who is moved to open a place for whom
void resize(Cycle& cycle);       // who goes on with more nodes
void provide(Cycle& cycle);      // which nodes that do not exist yet are asked for, and for whom
void explain(Cycle& cycle);      // why the others wait

// Of order: how the job stands if no place is kept for it.
Standing standing_of(const Cycle& cycle, const JobRow& job);
// Of preempt, for jobs that prefer it to the next flavor.
//   made:      others are stopped for it there, and its place is kept
//   expected:  there will be room, as others leave already; or it is for the next cycle to say
enum class RoomThere : std::uint8_t { none, made, expected };
RoomThere make_room_there(Cycle& cycle, Rank rank, const Option& option);
// Of place: what is kept for jobs is given to them, or released.
void settle_holds(Cycle& cycle);
// Of place: each in his turn, as the shares of the queues then are, is admitted if he fits; who may not be
// passed keeps anew what he waits for. Until nobody is: so that the order in the end is that of the shares
// in the end, which the next cycle finds too.
void place_all(Cycle& cycle);
// Who was admitted to a place kept for it becomes as large as there is room for beside that place.
void grow(Cycle& cycle, Rank rank);
// Precondition: the place is free, and the quota is there.
void admit(Cycle& cycle, Rank rank, const Flavors& flavors, Choice choice);
// Preconditions: it was admitted in this cycle, to a smaller place; this one is free beside that.
void admit_larger(Cycle& cycle, Rank rank, Choice choice);
// Nobody keeps anything, until `refuse` says so again.
void forget_keepers(Cycle& cycle);
// The job waits: in a strict queue nobody behind it begins.
void hold_line(Cycle& cycle, Rank rank);
// The job found no place: from now on it keeps what it waits for, if it may not be passed.
void refuse(Cycle& cycle, Rank rank);

// What the flavor's machines could ever do for a gang of one flavor, or for a part that is. It stays until the next
// question.
const Hardware& hardware_of(Cycle& cycle, const Shape& part, FlavorIndex flavor);
// Whether jobs of the shape can ever run in this option.
bool feasible(Cycle& cycle, const Shape& shape, const Option& option);
// The budgets that a job would exceed in the options in which it could ever run: the first, with its flavor; and
// whether it would in all of them.
struct OverBudget {
  std::optional<BudgetHit> first;
  Flavors flavors;
  bool everywhere = false;
};
OverBudget over_budget(Cycle& cycle, Rank rank);
// A rule of its queue stands in its way: it is behind the head, or beyond a limit of what runs or a
// budget. It keeps nothing from anybody, and nobody is stopped for it.
bool is_barred(Cycle& cycle, Rank rank);
// Whether they could if others ended, with nothing repaired or changed.
bool only_waits(Cycle& cycle, const Shape& shape, const Option& option);

}  // namespace ym::engine
