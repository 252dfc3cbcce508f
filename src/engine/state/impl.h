// State::Impl: all that the engine knows, as arrays.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/engine.h"
#include "engine/quota/budget_book.h"
#include "engine/quota/quota_tree.h"
#include "engine/quota/run_limits.h"
#include "engine/state/free_intervals.h"
#include "engine/state/hardware.h"
#include "engine/state/history.h"
#include "engine/state/inventory.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"
#include "engine/state/names.h"
#include "engine/state/pending_entry.h"
#include "engine/state/queue_orders.h"
#include "engine/state/queue_stops.h"
#include "engine/state/room_book.h"
#include "engine/state/running_allocations.h"
#include "engine/state/spare.h"
#include "engine/state/vacancies.h"
#include "engine/state/workload.h"

namespace ym::engine {

// What a trial has changed; see trial.h.

// An admission that is tried: devices and quota are taken.
struct Grant {
  Slot job = kNone;  // slot
  Flavors flavors;
  ClusterIndex cluster = kNone;
  std::vector<NodeIndex> nodes;     // by task
  std::vector<std::uint64_t> bits;  // devices, by task

  ResourceVector total(const Shape& shape) const { return total_of(shape, std::ssize(nodes)); }
};

// Quota of one that runs, which the holder of a reservation will have after it.
struct Inherited {
  Slot slot = kNone;  // of the one that runs
  QueueIndex queue = kNone;
  FlavorIndex flavor = kNone;
  ResourceVector amounts;
};

// A job that waits for machines keeps its quota: from all behind it, or, with a reservation, from
// those who would still be there when any of its tree begins.
struct Claim {
  Slot job = kNone;  // slot
  Flavors flavors;
  bool reserved = false;
  std::vector<Inherited> inherits;  // with a reservation alone
};

// What holders of reservations inherit from one that runs.
struct Bequest {
  std::vector<Inherited> parts;
  bool is_gone = false;  // it leaves by now, or its place was taken back
};

// A live attempt is taken for one that leaves: soon, what it holds is free.
struct SimulatedEviction {
  JobId job;
};

// What the job was granted in this trial is taken back for a while.
struct Withdrawal {
  JobId job;
  Grant grant;
};

// A place is kept for a job that waits. `expected`: only while others are looked at; the job
// will find room there without anybody being stopped for it.
struct Keeping {
  Grant place;
  bool expected = false;
};

// The place that was kept for a job is nobody's any more.
struct Lifting {
  JobId job;
};

// A live attempt that leaves should have left long ago: nobody counts on it.
struct Overdue {
  JobId job;
};

// A change that was given back for good.
struct Revoked {};

using Change = std::variant<Grant, Claim, SimulatedEviction, Withdrawal, Keeping, Lifting, Overdue, Revoked>;

// Two books are kept of what is taken, of nodes and of quota:
//   now:   by live attempts, until their processes are proven gone;
//   later: by those of them that do not leave, and by what is kept for jobs that wait.
// A place is kept where others leave, so that a book of both would count it twice. Whoever is
// admitted must find room in both: nothing is oversubscribed while victims use their grace, and
// nobody takes what was freed for somebody else.
struct State::Impl {
  std::uint64_t version = 0;
  Inventory inventory;
  std::map<std::string, Queue> queues;
  Names<QueueIndex> queue_names;
  QuotaTree quota;     // used later
  QuotaTree in_use;    // used now
  QuotaTree claimed;   // used later, if those had quota who keep it in a trial or expect room
  QuotaTree promised;  // `claimed`, with holders of reservations in place of the jobs that they inherit from
  std::unordered_map<Slot, Bequest> bequests;  // by slot; of the trial under way
  bool quota_stale = false;                    // queues changed since the trees were built
  QueueOrders orders;                          // of those that are not fifo
  QueueStops stops;
  UsageRows usage;  // lately, by queue and user
  RunLimits limits;
  SpendingRows spending;
  BudgetBook budgets;
  std::map<std::string, AdvanceReservation> reservations;
  Names<UserIndex> user_names;
  Shared<Need, NeedIndex> needs;
  HardwareBook hardware;  // by need
  RoomBook rooms;
  FreeIntervals free_intervals;
  Vacancies vacancies;
  Shared<Shape, ShapeIndex> shapes;
  Workload workload;  // of all jobs that have not ended
  JobTable jobs;
  History history;
  LiveTable live;
  NominationTable holds;
  RunningAllocations allocations;
  // By node: changes with what is taken of it, for those who remember what is free.
  IndexedVector<NodeIndex, std::uint32_t> touched;
  std::uint64_t touches = 0;  // of all
  TouchLog touch_log;
  std::set<JobId> growable;   // live attempts of elastic jobs that have fewer nodes than these may have
  std::size_t leaving = 0;    // live attempts that leave
  std::vector<Change> trial;  // changes of the trial under way; empty outside cycles
  Spare<PendingEntry> spare_entries;

  const Shape& shape_of(const JobRow& job) const { return shapes[job.shape]; }

  void add_job(const Job& job);
  void remove_job(JobId id);
  // That of a job in this queue; to be released.
  ShapeIndex shape_for(const JobSpec& spec, const std::string& queue);
  // A shape for one more job; needs and rules of `wanted` are not read, but are these: of each group, or of all. Each
  // acquire wants a release.
  ShapeIndex acquire_shape(Shape wanted, const std::vector<NodeRule>& rules);
  Levels levels_of(const JobSpec& spec);
  void release_shape(ShapeIndex shape);
  // One more of the shape, or one less: -1.
  void count_tasks(const Shape& shape, int by);
  NeedIndex acquire_need(const Shape& shape, const Group& part);
  void release_need(NeedIndex need);
  void release_needs(const Shape& shape);
  void add_live(const Attempt& attempt);
  void end_live(JobId job);
  // After `change` made something else known of the job's live attempt.
  template <class Learn>
  void learn(JobId job, Learn change) {
    LiveAttempt& attempt = live.at(job);
    change(attempt);
    set_leaving(job, attempt.stopping && !attempt.unreachable);
    note_ending(job, attempt);
  }
  // Of its live attempt.
  std::vector<UsageEntry> usage_of(JobId job) const;  // by flavor
  UsageRows running_usage() const;
  void nominate(JobId job, const NominatedPlacement& hold);
  void end_nomination(JobId job);  // if it has one
  void set_node(const Node& row);
  void remove_node(const std::string& name);
  // After queues or names changed: the trees anew, and all that is in use charged again. To
  // be called before the state is read; many changes in a row are paid for once.
  void refresh();

  // Of what a gang has, or would have, for so long: at the prices of its admission, or those of now.
  Cost cost_of(const Footprint& place, Duration time) const;
  Cost cost_of(const Shape& sized, const Flavors& flavors, Duration time) const {
    Cost cost;
    for (const FlavorIndex flavor : flavors.each())
      cost +=
          ym::cost_of(sized.in(flavors, flavor)[ResourceKind::gpus], time, inventory.price_micros_per_gpu_hour(flavor));
    return cost;
  }
  // What the attempt has cost, which ends now.
  void settle_cost(const LiveAttempt& ended, Instant now);
  void drop_old_spending(Instant now);

  // GPUs that the place has beyond what runs.
  static std::int64_t gpus_beyond(const LiveAttempt& live, const Footprint& place);

  // Entries in the books.
  void take(Slot job, const Footprint& place);
  void give_back(Slot job, const Footprint& place, bool was_leaving);
  void set_leaving(JobId job, bool now_leaving);
  void keep(Slot job, const Footprint& place, bool expected);
  void unkeep(Slot job, const Footprint& place, bool expected);
  // Precondition: it has a place, and does not leave.
  void inherit(const Inherited& part);
  void disinherit(const Inherited& part);
  ResourceVector inherited_of(Slot slot, FlavorIndex flavor) const;
  // What leaves is not counted on, neither its machines nor its quota; whose quota it was to be
  // is not asked: rights are judged as if it had left.
  void doubt(const LiveAttempt& attempt);
  void trust(const LiveAttempt& attempt);

 private:
  bool quota_is_current() const { return !quota_stale && quota.covers(queue_names, inventory.flavor_names); }
  std::vector<LiveTask> tasks_of(const std::vector<TaskPlacement>& placement);
  void renew_bits(NodeIndex node);
  bool another_has(const LiveTask& task) const;
  // Against limits and budgets.
  void count_kept(Slot job, const Footprint& place);
  void uncount_kept(Slot job, const Footprint& place);
  // All that it may cost, if that is known.
  Cost most_cost(Slot job, const Footprint& place) const;
  void note_ending(JobId job, const LiveAttempt& attempt);
  // Of all books that are of later.
  void charge_later(Slot job, const Footprint& place);
  void refund_later(Slot job, const Footprint& place);
  void touch(const Footprint& place);
  // Nobody needs the index of a node that is gone when nothing runs there any more.
  void forget_if_unused(NodeIndex node);
};

}  // namespace ym::engine
