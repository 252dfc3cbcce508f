// Findings as reasons, with their numbers. Amounts are exact, in the units of their kinds.
#pragma once

#include "engine/cycle/cycle.h"
#include "engine/quota/demand.h"

namespace ym::engine {

Amount amount(ResourceKind kind, std::int64_t value);

Reason held();
// The job's queue, or one above it, is held.
Reason queue_held(const Inputs& in, QueueIndex queue);
Reason backoff(Instant until);
Reason misconfigured(const Inputs& in, QueueIndex queue);
Reason exceeds_max_quota(const Inputs& in, const Shortage& shortage);
// The queue may use no flavor at all.
Reason no_flavor(const Inputs& in, const Shape& shape);
// `quota`: the tree that has the shortage.
Reason waiting_for_quota(const Inputs& in, const QuotaTree& quota, const Shortage& shortage);
// The jobs that must still stop at the job's nominated placement.
RoomMade room_for(const Inputs& in, const Tried& tried, JobId job);
Reason preemption_pending(const RoomMade& room);
Reason behind(const Inputs& in, const PendingEntries& pending, const Flavors& flavors, Rank keeper);
// In a strict queue.
Reason behind_head(const Inputs& in, Slot head);
Reason limit_reached(const Inputs& in, const PendingEntries& pending, Rank rank, const LimitHit& hit);
Reason array_limited(const Inputs& in, ArrayIndex array);
// There is room, but another job holds a reservation for it.
Reason reserved(const Inputs& in, const Tried& tried, const Flavors& flavors, const Booking& booking);
Reason in_advance_reservation(const Inputs& in, FlavorIndex flavor, const AdvanceReservation& reservation);
Reason budget_exhausted(const Inputs& in, const PendingEntries& pending, Rank rank, const OverBudget& over);

}  // namespace ym::engine
