// Age: when a job that has waited for long blocks backfill on all that it could use.
//
//   old        It has waited unduly (order.cc). Between queues its request does not count (fair_share_order.h). No job
//              behind it gets what it could use. Exceptions: it holds a backfill reservation (reserve.h), or an elder
//              job of its queue holds one for some of the same flavors. The elder job starts first.
//   neglected  It has waited for 42 age caps (a week by default), and for four times as long as it takes to become old.
//              It has no share any more, and blocks backfill whatever is reserved. Reason: jobs earlier in the order
//              can delay a reservation again and again. Only more urgent or more senior jobs come before a neglected
//              job.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// The queue's own age cap, or else the policy's.
Duration age_cap_of(const Inputs& in, QueueIndex queue);
// As far as is known now: the time at which the entry becomes old may still move.
Instant neglected_at(const Inputs& in, const PendingEntry& entry);
inline bool is_old(const Inputs& in, const PendingEntry& entry) { return in.now >= entry.aged_at; }
inline bool is_neglected(const Inputs& in, const PendingEntry& entry) {
  return is_old(in, entry) && in.now >= neglected_at(in, entry);
}
// Whether the job, if it waits for these flavors, blocks backfill on all that it could use in them. Call it after all
// jobs before it have been tried.
bool keeps_all(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank, const Flavors& flavors);
// The same for an option, and the option is useful: it is within the job's budgets, and has_prospect() holds.
bool keeps_all(Cycle& cycle, Rank rank, const Option& option);

}  // namespace ym::engine
