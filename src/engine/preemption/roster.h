// Everybody who may be stopped for others in this cycle, and what that would lose.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// A live attempt that can be stopped, as far as it alone is concerned; or what this cycle has
// admitted, which is then not admitted after all and loses nothing.
//
// An attempt that has not started yet can be stopped too: it loses nothing but its start. If it
// has a minimum run time it is spared until that has passed, and it has not begun to.
struct Running : Subject {
  static constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};

  std::int32_t attempt = 0;  // its number, if it has begun
  Rank rank = kNone;         // else
  Instant admitted_at;
  std::int64_t lost_gpu_ms = 0;
  bool gone = false;  // it was stopped in this cycle
  // Not to be stopped before: for those more urgent; for those that reclaim. By its minimum
  // run time, which protects against reclaiming for as long as the policy says at most, and by
  // how often it was stopped within the last hour. kNever: time alone changes nothing.
  Instant spared, spared_from_reclaim;
};

// What a stop of the attempt loses: the GPU time since its newest checkpoint, or its start, plus
// the restart cost for each of its GPUs. Who has never reported a checkpoint in this attempt is
// dated at the median of those who have (the older of the two in the middle), if that is later
// than its start: otherwise those who report would be stopped before those who keep silent.
class Losses {
 public:
  Losses(const State::Impl& state, Duration restart_cost, Instant now);
  std::int64_t gpu_ms(JobId job, const LiveAttempt& live) const;

 private:
  const State::Impl& state_;
  Duration restart_cost_;
  Instant now_, median_;
};

// Points into the cycle: it holds until something is admitted or not admitted after all.
std::vector<Running> roster_of(const Cycle& cycle);

}  // namespace ym::engine
