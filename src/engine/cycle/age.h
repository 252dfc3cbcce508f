// Age: what a job that has waited for long keeps from those behind it.
//
//   old        It has waited unduly (order.cc). Between queues what it asks for does not count (fair_share_order.h). It
//   keeps
//              all that it could use from the jobs behind it, unless it is promised machines (reserve.h), or an elder
//              of its queue is promised some of the same flavors: the elder begins first.
//   neglected  It has waited for 42 age caps, a week if nothing is configured, and four times as long as it takes to be
//              old. It has no share any more, and keeps all, whatever is promised. Jobs with earlier turns can delay a
//              promise again and again. Before a neglected job come only jobs that are more urgent or more senior.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Of the queue, or else of all.
Duration age_cap_of(const Inputs& in, QueueIndex queue);
// As far as that is known now.
Instant neglected_at(const Inputs& in, const PendingEntry& entry);
inline bool is_old(const Inputs& in, const PendingEntry& entry) { return in.now >= entry.aged_at; }
inline bool is_neglected(const Inputs& in, const PendingEntry& entry) {
  return is_old(in, entry) && in.now >= neglected_at(in, entry);
}
// Whether the job keeps all that it could use in these flavors, if it waits for that. To be asked once all before it
// have had their turns.
bool keeps_all(const Cycle& cycle, Rank rank, const Flavors& flavors);
// The same of an option that is of use to it: within its budgets, and with machines that will be there (has_prospect).
bool keeps_all(Cycle& cycle, Rank rank, const Option& option);

}  // namespace ym::engine
