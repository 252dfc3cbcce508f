// Everybody who may be stopped for others in this cycle, and what that would lose.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// Until when the job is left alone, as it was stopped so often within an hour; kNever: it may never be stopped.
Instant rests_until(const State::Impl& state, JobId job, std::int32_t most);

// Until when those who reclaim leave it alone by the minimum run times, its own and its queue's; kNever: these have not
// begun.
Instant spared_from_reclaim_until(const Inputs& in, const JobRow& job, QueueIndex queue,
                                  std::optional<Instant> started_at);

// Work that would have to be done again.
struct Loss {
  std::int64_t gpu_ms = 0;
  std::int64_t cpu_ms = 0;
};

// A live attempt that can be stopped, as far as it alone is concerned; or what this cycle has
// admitted, which is then not admitted after all and loses nothing.
//
// An attempt that has not started yet can be stopped too: it loses nothing but its start. If it
// has a minimum run time it is spared until that has passed, and it has not begun to.
struct Running : Subject {
  static constexpr Instant kNever = engine::kNever;

  std::int32_t attempt = 0;  // its number, if it has begun
  Rank rank = kNone;         // else
  Slot slot = kNone;         // of the job
  Index number = kNone;      // in the roster, if it is in one
  std::int32_t priority = 0;
  Instant admitted_at;
  Instant stopped_at;  // its last preemption (once.h)
  Loss loss;
  bool gone = false;     // it was stopped in this cycle
  bool shrinks = false;  // it could become smaller instead (smaller.h)
  // Not to be stopped before: for those more urgent; for those that reclaim. By the minimum run
  // times, its own, which protects against reclaiming for as long as the policy says at most, and
  // that of its queue; and by how often it was stopped within the last hour. kNever: time alone
  // changes nothing.
  Instant spared, spared_from_reclaim;
  // What of that is no minimum run time.
  Instant exempt, exempt_from_reclaim;
};

// The most urgent first, then who came first.
inline auto urgency_of(const Running& one) { return std::tuple(-one.row->priority, one.row->submitted_at, one.job); }

// What a stop of the attempt loses: the GPU and CPU time since its newest checkpoint, or its start,
// plus the restart cost for each GPU and CPU. Who has never reported a checkpoint in this attempt is
// dated at the median of those who have (the older of the two in the middle), if that is later
// than its start: otherwise those who report would be stopped before those who keep silent.
class Losses {
 public:
  Losses(const State::Impl& state, Duration restart_cost, Instant now);
  Loss of(JobId job, const LiveAttempt& live) const;
  // Of one that has done nothing yet.
  Loss of_restart(const Footprint& place) const { return with_unsaved(place, 0); }

 private:
  Loss with_unsaved(const Footprint& place, std::int64_t ms) const;

  const State::Impl& state_;
  Duration restart_cost_;
  Instant now_, median_;
};

// The job of this rank as one that looks for room. The rules of its queue are known here, and not looked up by name.
inline Claimant claimant_of(const Cycle& cycle, Rank rank, const Flavors& flavors) {
  const Shape& shape = cycle.shape(rank);
  return {.state = cycle.in.state,
          .job = cycle.job(rank),
          .shape = shape,
          .rules = cycle.in.rules[shape.queue],
          .flavors = flavors};
}

// Of a live attempt that can be stopped.
Running running_of(const Inputs& in, const Losses& losses, JobId job);

// Those who hold the same kinds of the same flavors in one queue: to quota they are alike.
struct Herd {
  QueueIndex root, queue;
  Flavors flavors;
  Kinds kinds;
  std::vector<FlavorIndex> stand_on;  // flavors, as their nodes are of now
  std::vector<Running*> members;      // as victims are taken where nothing else tells them apart
};

// Points into the cycle. What is admitted after it was made is not in it; what is taken back is `gone`.
struct Roster {
  enum class Whom : std::uint8_t { tentative, running, all };

  Roster(const Cycle& cycle, Whom whom);
  Roster(const Roster&) = delete;
  Roster& operator=(const Roster&) = delete;

  // Of the tree of queues that this root stands for: nobody outside of it has quota of those in it.
  std::span<const Herd> herds_of(QueueIndex root) const;
  // How many of the last preemptions were before that. Of equal numbers two jobs may stop the same (once.h).
  std::size_t stops_before(Instant arrived_at) const;

  std::vector<Running> all;
  std::vector<Herd> herds;     // by root
  std::vector<Instant> stops;  // when those that run were stopped last, the earliest first
};

}  // namespace ym::engine
