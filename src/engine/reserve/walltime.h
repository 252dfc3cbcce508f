// For how long a job would hold what it is given, as far as that can be enforced.
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

// A sum that stops at the end of time.
constexpr Instant after(Instant start, Duration time) {
  Instant end;
  return __builtin_add_overflow(start.ms, time.ms, &end.ms) ? kNever : end;
}

// What the queue's rule for preemption asks of a job.
struct Claims {
  QueueIndex queue = kNone;
  std::int32_t priority = 0;
  Instant submitted_at;
  JobId id;
  Instant arrived_at{};              // as JobRow has it
  Instant stopped_at = kNotStopped;  // its last preemption
};

// Whether the rule lets the one stop the other, which is of the same queue and was not stopped since it arrived.
bool may_stop(PreemptRule rule, const Claims& one, const Claims& other);

// Of a job: equal numbers mean that the same advance reservations let it in; 0: none does.
using Pass = std::uint32_t;

struct Walltime {
  Instant until = kNever;      // its limit and its grace are over
  Instant yields_by = kNever;  // by when it could be gone if it were stopped as soon as that may be
  Claims claims;
  Pass pass = 0;
  std::optional<Duration> limit;  // of what it may cost; nothing: it is not asked about that, or has none

  // Whether it stands in the way of everybody in whose way the other stands, and everything that stands in the
  // other's way in its own; the jobs are of the same queue.
  bool outlasts(const Walltime& other, PreemptRule rule) const;
};

// Of one who would leave at once: in nobody's way.
inline constexpr Walltime kFleeting{.until = {std::numeric_limits<std::int64_t>::min()}};

}  // namespace ym::engine
