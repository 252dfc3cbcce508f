// A waiting job, as the phases of a cycle look at it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "engine/reason.h"
#include "engine/state/names.h"
#include "model/ids.h"

namespace ym::engine {

// `stopped`: its queue is. `limited`: others of its array go first. `kept`: a place is kept for it.
enum class EntryStatus : std::uint8_t { held, misconfigured, stopped, backoff, limited, open, kept, admitted };

// With what all phases ask of it together in memory: of a hundred thousand rows each
// other look would be a wait for it. One is a line of the cache.
struct alignas(64) PendingEntry {
  JobId id;
  Instant submitted_at;
  Instant aged_at;  // from when on it is old (cycle/age.h)
  Slot slot = kNone;
  ShapeIndex shape = kNone;
  QueueIndex queue = kNone;
  EntryStatus status = EntryStatus::open;
  bool placed = false;       // it was admitted, and has had its turn, in an earlier round of the cycle
  bool lends_age = false;    // jobs before it in its queue may inherit its age (cycle/effective_queue_time.h)
  std::int64_t urgency = 0;  // less is more urgent: the negative priority, with its boost
  Duration stay;             // its time limit and the grace after it; the longest there is: it has no limit
  std::int32_t priority = 0;
  std::optional<ReasonCode> pending;  // as it was told last
};
static_assert(sizeof(PendingEntry) == 64);

}  // namespace ym::engine
