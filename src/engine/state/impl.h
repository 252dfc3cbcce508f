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
#include "engine/state/history.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"
#include "engine/state/names.h"
#include "engine/state/nodes/hardware.h"
#include "engine/state/nodes/inventory.h"
#include "engine/state/nodes/spare.h"
#include "engine/state/nodes/vacancies.h"
#include "engine/state/pending_entry.h"
#include "engine/state/queue_orders.h"
#include "engine/state/queue_stops.h"
#include "engine/state/running_allocations.h"
#include "engine/state/timeline/free_intervals.h"
#include "engine/state/timeline/free_times_book.h"
#include "engine/state/workload.h"

namespace ym::engine {

// Changes of a trial; see trial.h.

// Tentative admission: devices and quota are taken.
struct Grant {
  Slot job = kNone;  // slot
  Flavors flavors;
  ClusterIndex cluster = kNone;
  std::vector<NodeIndex> nodes;     // by task
  std::vector<std::uint64_t> bits;  // devices, by task

  ResourceVector total(const Shape& shape) const { return total_of(shape, std::ssize(nodes)); }
};

// Quota of a running job that the holder of a reservation gets after it.
struct Inherited {
  Slot slot = kNone;  // of the running job
  QueueIndex queue = kNone;
  FlavorIndex flavor = kNone;
  ResourceVector amounts;
};

// Quota that a waiting job claims: against all jobs behind it; or, with a reservation, against jobs that would still
// run when any job of its tree of queues starts.
struct Claim {
  Slot job = kNone;  // slot
  Flavors flavors;
  bool reserved = false;
  std::vector<Inherited> inherits;  // only with a reservation
};

// What holders of reservations inherit from one running job.
struct Bequest {
  std::vector<Inherited> parts;
  bool is_gone = false;  // it has left by now, or its admission was revoked
};

// A live attempt counts as leaving: what it holds is free later.
struct SimulatedEviction {
  JobId job;
};

// What the job was granted in this trial is revoked for a while.
struct Withdrawal {
  JobId job;
  Grant grant;
};

// Nominated placement of a waiting job. `expected`: only while the cycle looks at other jobs. The job will find room
// there without a preemption.
struct Keeping {
  Grant place;
  bool expected = false;
};

// The job's nomination ends.
struct Lifting {
  JobId job;
};

// A leaving attempt should have left long ago: the state does not rely on its end.
struct Overdue {
  JobId job;
};

// A change that was revoked for good.
struct Revoked {};

using Change = std::variant<Grant, Claim, SimulatedEviction, Withdrawal, Keeping, Lifting, Overdue, Revoked>;

// Two books record what is taken of nodes and of quota:
// - now: by live attempts, until their processes are proven gone;
// - later: by live attempts that do not leave, and by nominated placements.
//
// A nominated placement lies where jobs leave, so one book would count it twice. An admission must fit both books. So
// nothing is oversubscribed during the grace of preempted jobs, and no other job takes what they free.
struct State::Impl {
  std::uint64_t version = 0;
  Inventory inventory;
  std::map<std::string, Queue> queues;
  Names<QueueIndex> queue_names;
  QuotaTree quota;     // taken later
  QuotaTree in_use;    // taken now
  QuotaTree claimed;   // taken later, plus the claims and expected placements of the trial
  QuotaTree promised;  // `claimed`, with holders of reservations in place of the jobs that they inherit from
  std::unordered_map<Slot, Bequest> bequests;  // by slot; of the current trial
  bool quota_stale = false;                    // queues changed since the trees were built
  QueueOrders orders;                          // of queues with another order than fifo
  QueueStops stops;
  UsageRows usage;  // decayed usage, by queue and user
  RunLimits limits;
  SpendingRows spending;
  BudgetBook budgets;
  std::map<std::string, AdvanceReservation> reservations;
  Names<UserIndex> user_names;
  Shared<Need, NeedIndex> needs;
  HardwareBook hardware;  // by need
  FreeTimesBook free_times;
  FreeIntervals free_intervals;
  Vacancies vacancies;
  Shared<Shape, ShapeIndex> shapes;
  Workload workload;  // of all jobs that have not ended
  JobTable jobs;
  History history;
  LiveTable live;
  NominationTable holds;
  RunningAllocations allocations;
  // By node: changes with what is taken of it, so that caches of what is free can check.
  IndexedVector<NodeIndex, std::uint32_t> touched;
  std::uint64_t touches = 0;  // over all nodes
  TouchLog touch_log;
  std::set<JobId> growable;   // live attempts of elastic jobs that have fewer nodes than allowed
  std::size_t leaving = 0;    // live attempts that leave
  std::vector<Change> trial;  // changes of the current trial; empty outside cycles
  Spare<PendingEntry> spare_entries;

  const Shape& shape_of(const JobRow& job) const { return shapes[job.shape]; }

  void add_job(const Job& job);
  void remove_job(JobId id);
  // The shape of a job in this queue. The caller releases it.
  ShapeIndex shape_for(const JobSpec& spec, const std::string& queue);
  // A shape for one more job. Needs and rules of `wanted` are not read: `rules` has those, for each group or for all
  // tasks. Each acquire needs a release.
  ShapeIndex acquire_shape(Shape wanted, const std::vector<NodeRule>& rules);
  Levels levels_of(const JobSpec& spec);
  void release_shape(ShapeIndex shape);
  // Adds `by` jobs of the shape: 1 or -1.
  void count_tasks(const Shape& shape, int by);
  NeedIndex acquire_need(const Shape& shape, const Group& part);
  void release_need(NeedIndex need);
  void release_needs(const Shape& shape);
  void add_live(const Attempt& attempt);
  void end_live(JobId job);
  // Applies `change` to the job's live attempt, and updates what depends on it.
  template <class Learn>
  void learn(JobId job, Learn change) {
    LiveAttempt& attempt = live.at(job);
    change(attempt);
    set_leaving(job, attempt.stopping && !attempt.unreachable);
    note_ending(job, attempt);
  }
  // For its live attempt.
  std::vector<UsageEntry> usage_of(JobId job) const;  // by flavor
  UsageRows running_usage() const;
  void nominate(JobId job, const NominatedPlacement& hold);
  void end_nomination(JobId job);  // if it has one
  void set_node(const Node& row);
  void remove_node(const std::string& name);
  // After queues or names changed: rebuilds the trees and charges all usage again. Call it before the state is read:
  // a series of changes then costs one rebuild.
  void refresh();

  // Cost of what a gang has, or would have, for this time: at the prices of its admission, or the current ones.
  Cost cost_of(const Footprint& place, Duration time) const;
  Cost cost_of(const Shape& sized, const Flavors& flavors, Duration time) const {
    Cost cost;
    for (const FlavorIndex flavor : flavors.each())
      cost +=
          ym::cost_of(sized.in(flavors, flavor)[ResourceKind::gpus], time, inventory.price_micros_per_gpu_hour(flavor));
    return cost;
  }
  // Records what the attempt has cost. It ends now.
  void settle_cost(const LiveAttempt& ended, Instant now);
  void drop_old_spending(Instant now);

  // GPUs of the place beyond the GPUs of the attempt.
  static std::int64_t gpus_beyond(const LiveAttempt& live, const Footprint& place);

  // Entries in the books.
  void take(Slot job, const Footprint& place);
  void give_back(Slot job, const Footprint& place, bool was_leaving);
  void set_leaving(JobId job, bool now_leaving);
  void keep(Slot job, const Footprint& place, bool expected);
  void unkeep(Slot job, const Footprint& place, bool expected);
  // Precondition: the job has a place, and does not leave.
  void inherit(const Inherited& part);
  void disinherit(const Inherited& part);
  ResourceVector inherited_of(Slot slot, FlavorIndex flavor) const;
  // The state does not rely on the end of the leaving attempt, neither for machines nor for quota. Rights to its quota
  // are judged as if it had left.
  void mark_overdue(const LiveAttempt& attempt);
  void clear_overdue(const LiveAttempt& attempt);

 private:
  bool quota_is_current() const { return !quota_stale && quota.covers(queue_names, inventory.flavor_names); }
  IndexedVector<TaskIndex, LiveTask> tasks_of(const std::vector<TaskPlacement>& placement);
  void renew_bits(NodeIndex node);
  bool another_has(const LiveTask& task) const;
  // For limits and budgets.
  void count_kept(Slot job, const Footprint& place);
  void uncount_kept(Slot job, const Footprint& place);
  // Its highest possible cost, if known.
  Cost most_cost(Slot job, const Footprint& place) const;
  void note_ending(JobId job, const LiveAttempt& attempt);
  // In all books of later.
  void charge_later(Slot job, const Footprint& place);
  void refund_later(Slot job, const Footprint& place);
  void touch(const Footprint& place);
  // Drops the index of a removed node on which nothing runs any more.
  void forget_if_unused(NodeIndex node);
};

}  // namespace ym::engine
