// Walltime: how long a job would hold its place, as far as that can be enforced.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/time.h"
#include "engine/state/names.h"
#include "engine/state/once.h"
#include "model/ids.h"
#include "model/queue.h"

namespace ym::engine {

inline constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};

// A sum that saturates at the end of time.
constexpr Instant after(Instant start, Duration time) {
  Instant end;
  return __builtin_add_overflow(start.ms, time.ms, &end.ms) ? kNever : end;
}

// What the queue's rule for preemption looks at.
struct Claims {
  QueueIndex queue = kNone;
  std::int32_t priority = 0;
  Instant submitted_at;
  JobId id;
  Instant arrived_at{};              // as JobRow has it
  Instant stopped_at = kNotStopped;  // its last preemption
};

// Whether the rule lets `one` stop `other`, which is of the same queue and was not stopped since `one` arrived.
bool may_stop(PreemptRule rule, const Claims& one, const Claims& other);

// Of a job: jobs with equal passes are let in by the same advance reservations.
using Pass = StrongIndex<struct PassTag>;
inline constexpr Pass kNoPass{0U};  // none lets it in

struct Walltime {
  Instant until = kNever;      // end of its limit and its grace
  Instant yields_by = kNever;  // when it could be gone if it is stopped as soon as allowed
  Claims claims;
  Pass pass = kNoPass;
  std::optional<Duration> limit;  // for its possible cost; nothing: cost does not matter, or it has no limit

  // Whether it conflicts with all reservations and budgets that `other` conflicts with. The jobs are of the same
  // queue.
  bool outlasts(const Walltime& other, PreemptRule rule) const;
};

// Of a job that would leave at once: it is in no job's way.
inline constexpr Walltime kFleeting{.until = {std::numeric_limits<std::int64_t>::min()}};

}  // namespace ym::engine
