// Pending entry: a waiting job as the phases of a cycle see it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "engine/reason.h"
#include "engine/state/names.h"
#include "model/ids.h"

namespace ym::engine {

// `stopped`: its queue is stopped. `limited`: other members of its array go first. `kept`: it has a nominated
// placement.
enum class EntryStatus : std::uint8_t { held, misconfigured, stopped, backoff, limited, open, kept, admitted };

// Contains what all phases need, in one cache line. With a hundred thousand rows, each further lookup would wait for
// memory.
struct alignas(64) PendingEntry {
  JobId id;
  Instant submitted_at;
  Instant aged_at;  // from when on it is old (cycle/order/age.h)
  Slot slot = kNone;
  ShapeIndex shape = kNone;
  QueueIndex queue = kNone;
  EntryStatus status = EntryStatus::open;
  bool placed = false;  // an earlier round of the cycle has admitted it
  bool age_is_inheritable =
      false;                 // jobs before it in its queue may inherit its age (cycle/order/effective_queue_time.h)
  std::int64_t urgency = 0;  // less is more urgent: the negative priority, with its boost
  Duration occupancy;        // its time limit plus the grace; the maximum: it has no limit
  std::int32_t priority = 0;
  std::optional<ReasonCode> pending;  // the reason code that was reported last
};
static_assert(sizeof(PendingEntry) == 64);

}  // namespace ym::engine
