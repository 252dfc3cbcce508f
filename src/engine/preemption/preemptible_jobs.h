// PreemptibleJobs: all jobs that may be stopped for others in this cycle, and what a stop would lose.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// Until when the job is protected by its preemptions within the last hour; kNever: it may never be stopped.
Instant preemption_limit_until(const State::Impl& state, JobId job, std::int32_t most);

// Until when minimum run times, its own and its queue's, protect it from reclaim; kNever: they have not begun.
Instant spared_from_reclaim_until(const Inputs& in, const JobRow& job, QueueIndex queue,
                                  std::optional<Instant> started_at);

// Work that must be repeated.
struct Loss {
  std::int64_t gpu_ms = 0;
  std::int64_t cpu_ms = 0;
};

using PreemptibleIndex = StrongIndex<struct PreemptibleTag>;

// A live attempt that can be stopped, as far as it alone is concerned; or an admission of this cycle, which can be
// revoked without loss.
//
// An attempt that has not started yet can be stopped too: it loses only its start. If it has a minimum run time, it is
// protected until that has passed, and it has not begun.
struct Running : Subject {
  static constexpr Instant kNever = engine::kNever;

  std::int32_t attempt = 0;  // its number, if it has begun
  Rank rank = kNone;         // of an admission of this cycle
  Slot slot = kNone;         // of the job
  PreemptibleIndex number;   // in PreemptibleJobs, if it is there
  std::int32_t priority = 0;
  Instant admitted_at;
  Instant stopped_at;  // its last preemption (stopped_since.h)
  Loss loss;
  bool gone = false;     // it was stopped in this cycle
  bool shrinks = false;  // it could continue on fewer nodes instead (smaller.h)
  // It is not stopped before these times: by more urgent jobs; by jobs that reclaim. The reasons are the minimum run
  // times, and its preemptions within the last hour. Its own minimum run time protects from reclaim only up to the
  // policy's cap; that of its queue fully. kNever: time alone changes nothing.
  Instant spared, spared_from_reclaim;
  // The part of these that is no minimum run time.
  Instant exempt, exempt_from_reclaim;
};

// The most urgent first, then by submit time.
inline auto urgency_of(const Running& one) { return std::tuple(-one.row->priority, one.row->submitted_at, one.job); }

// What a stop of the attempt loses: the GPU and CPU time since its newest checkpoint, or its start, plus the restart
// cost for each GPU and CPU. An attempt that never reported a checkpoint is dated at the median checkpoint time of
// attempts that did (the older of the two in the middle), if that is later than its start. Otherwise jobs that report
// would be stopped before jobs that do not.
class Losses {
 public:
  Losses(const State::Impl& state, Duration restart_cost, Instant now);
  Loss of(JobId job, const LiveAttempt& live) const;
  // For a job that has done no work yet.
  Loss of_restart(const Footprint& place) const { return with_unsaved(place, 0); }

 private:
  Loss with_unsaved(const Footprint& place, std::int64_t ms) const;

  const State::Impl& state_;
  Duration restart_cost_;
  Instant now_, median_;
};

// The job of this rank as a claimant. The cycle knows the rules of its queue, so there is no lookup by name.
inline Claimant claimant_of(const Inputs& in, const PendingEntries& pending, Rank rank, const Flavors& flavors) {
  const Shape& shape = shape_of(in, pending, rank);
  return {.state = in.state,
          .job = job_of(in, pending, rank),
          .shape = shape,
          .rules = in.rules[shape.queue],
          .flavors = flavors};
}

// Of a live attempt that can be stopped.
Running running_of(const Inputs& in, const Losses& losses, JobId job);

// Running jobs of one queue that hold the same kinds of the same flavors: they are equal for quota.
struct AlikeJobs {
  QueueIndex root, queue;
  Flavors flavors;
  Kinds kinds;
  std::vector<FlavorIndex> node_flavors;  // current flavors of their nodes
  std::vector<Running*> members;          // in the order in which they are stopped if they do not differ otherwise
};

// Points into the cycle. Admissions after it was made are not in it; revoked ones are `gone`.
struct PreemptibleJobs {
  enum class Include : std::uint8_t { tentative, running, all };

  PreemptibleJobs(const Inputs& in, const PendingEntries& pending, const Tried& tried, Include include);
  PreemptibleJobs(const PreemptibleJobs&) = delete;
  PreemptibleJobs& operator=(const PreemptibleJobs&) = delete;

  // Groups of alike jobs of the tree of queues with this root: no queue outside of it has quota of those in it.
  std::span<const AlikeJobs> alike_jobs_of(QueueIndex root) const;
  // How many of the last preemptions were before that time. With equal numbers two jobs may stop the same ones
  // (stopped_since.h).
  std::size_t stops_before(Instant arrived_at) const;

  IndexedVector<PreemptibleIndex, Running> all;
  std::vector<AlikeJobs> alike_jobs;  // by root
  std::vector<Instant> stops;         // last preemptions of the running jobs, the earliest first
};

}  // namespace ym::engine
