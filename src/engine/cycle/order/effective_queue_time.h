// EffectiveQueueTime: the submit time with which the next job of a queue competes with equal jobs of other queues.
//
// Normally it is the job's own submit time. In a queue with an order of its own (closest deadline, shortest run, least
// usage) a job that goes to the front inherits the age of the oldest job that it overtakes. Otherwise the whole queue
// would stand behind jobs that came later to other queues, and the overtaken jobs would lose their reserved start.
//
// 1. A job gives its age only while it waits for machines and for nothing else: not for quota, a limit or a budget, and
//    without a nominated placement.
// 2. It gives its age only to jobs that are as urgent, and that want machines of the same kind (NodeRule). Gangs with
//    task groups or an anchor neither give nor inherit.
// 3. By inherited age no job overtakes a job of another queue that has waited for longer than the shortest age cap of
//    the queues in which jobs wait. Otherwise a job that is always last in its queue would put newcomers before other
//    queues for ever.
#pragma once

#include <compare>
#include <map>
#include <utility>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

struct EffectiveQueueTime {
  Instant submitted_at;
  // The job with that submit time. If the age is cut by rule 3: the job itself, behind all others (kBehindAll).
  JobId id;
  auto operator<=>(const EffectiveQueueTime&) const = default;  // less is more senior
};

// Sets PendingEntry::age_is_inheritable of all entries in queues with an order of their own. Called before a round.
void mark_inheritable_ages(Cycle& cycle);
// The bound of rule 3 for this round: no job inherits an earlier submit time.
Instant most_age_lent(const Inputs& in, const PendingEntries& pending);
// Ranks change when rule 3 begins to protect a job that has become older. The plan wakes at that time.
void wake_when_passed_no_more(Cycle& cycle);

// The jobs of a queue that give their age, the oldest first.
class InheritableAges {
 public:
  // Forms the list of all jobs that are considered in the entries [begin, end). `most`: most_age_lent().
  void form(const Inputs& in, const PendingEntries& pending, EntryIndex begin, EntryIndex end, Instant most);
  // The job in that entry has been tried.
  void was_tried(EntryIndex entry) {
    if (!had_turn_.empty()) had_turn_[entry - begin_] = true;
  }
  // The entry's effective queue time: its own, or one inherited from a job that has not been tried yet.
  EffectiveQueueTime queue_time_of(const Inputs& in, const PendingEntries& pending, const PendingEntry& entry) {
    const EffectiveQueueTime own{.submitted_at = entry.submitted_at, .id = entry.id};
    return rows_.empty() ? own : with_inherited_age(in, pending, own, entry);
  }

 private:
  struct Kind {
    std::int64_t urgency = 0;
    RuleIndex rule = kNone;  // kNone: it neither gives nor inherits age
    auto operator<=>(const Kind&) const = default;
  };
  struct Row {
    std::vector<EntryIndex> entries;
    std::size_t next = 0;  // the entries before it have been tried
  };
  static Kind kind_of(const Inputs& in, const PendingEntry& entry);
  EffectiveQueueTime with_inherited_age(const Inputs& in, const PendingEntries& pending, const EffectiveQueueTime& own,
                                        const PendingEntry& entry);

  EntryIndex begin_{0};
  std::vector<bool> had_turn_;  // by position in the queue
  std::map<Kind, Row> rows_;
  Instant most_;  // no job inherits an earlier submit time
};

}  // namespace ym::engine
