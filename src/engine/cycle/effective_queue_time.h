// EffectiveQueueTime: since when the next job of a queue has waited, as equal jobs of other queues see it.
//
// That is its own submit time, unless its queue has an order of its own: then whoever goes to the front there (with a
// closer deadline, a shorter run, or having used less) stands against others as the eldest of those whom he passes, if
// these are as urgent. Else the whole queue would stand behind what came later to other queues, and with it those who
// hold promises.
//
// It is lent by those alone who wait for nothing but their turn at machines, to those who want machines of the same
// kind (NodeRule): not by who is beyond a limit of what runs or a budget, has a kept place, can be served by nothing,
// or waits for quota; but for the first of a line who does, if only those have it who passed him and go again, which
// costs him no promise either (quota_from.h). Nor to one for other machines, whom that one does not wait for. And
// nobody passes by what he is lent one that was submitted earlier than the shortest age cap ago, of the queues in which
// somebody waits: else one that is always last in its queue would send others past him for ever. Gangs of groups, and
// with anchors, neither lend nor borrow.
#pragma once

#include <compare>
#include <map>
#include <utility>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

struct EffectiveQueueTime {
  Instant submitted_at;
  JobId id;  // whose that is; of who has the most that is lent his own, behind all others (kBehindAll)
  auto operator<=>(const EffectiveQueueTime&) const = default;  // less is more senior
};

// Says of all seats in queues with an order of their own whether who sits there lends his (PendingEntry::lends), as
// things are before a round.
void mark_age_lenders(Cycle& cycle);
// Since then: nobody is lent as much. Of one round.
Instant most_age_lent(const Cycle& cycle);
// When time alone ends that somebody is passed by what others are lent, ranks change: the plan wakes then.
void wake_when_passed_no_more(Cycle& cycle);

// Who of a queue's line lends, the most senior first.
class AgeLenders {
 public:
  // Of all that are considered there.
  void form(const Cycle& cycle, EntryIndex begin, EntryIndex end, Instant most);
  // The job in that seat has had its turn.
  void had_turn(EntryIndex entry) {
    if (!had_turn_.empty()) had_turn_[entry - begin_] = true;
  }
  // Of the seat, with what it is lent by those who have not had theirs.
  EffectiveQueueTime queue_time_of(const PendingEntry& entry, const Cycle& cycle) {
    const EffectiveQueueTime own{.submitted_at = entry.submitted_at, .id = entry.id};
    return rows_.empty() ? own : with_what_is_lent(own, entry, cycle);
  }

 private:
  struct Kind {
    std::int64_t urgency = 0;
    RuleIndex rule = kNone;  // kNone: it lends and borrows nothing
    auto operator<=>(const Kind&) const = default;
  };
  struct Row {
    std::vector<EntryIndex> entries;
    std::size_t next = 0;  // those before it have had their turns
  };
  static Kind kind_of(const Cycle& cycle, const PendingEntry& entry);
  EffectiveQueueTime with_what_is_lent(const EffectiveQueueTime& own, const PendingEntry& entry, const Cycle& cycle);

  EntryIndex begin_{0};
  std::vector<bool> had_turn_;  // by place in the line
  std::map<Kind, Row> rows_;
  Instant most_;  // nobody is lent as much
};

}  // namespace ym::engine
