// DequeueOrder: the jobs of one queue, in the order in which they have their turns.
//
// Mostly that is the cycle's own. Where a queue is fair to its users, of equally urgent jobs that one goes
// first whose user has used least of the queue lately, what this cycle has admitted included; of one user's
// jobs, and of equal users', the cycle's order holds. Who has been placed in an earlier round has no turn any more.
#pragma once

#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/effective_queue_time.h"

namespace ym::engine {

class DequeueOrder {
 public:
  // All who are considered there, before the first turn. `most`: most_age_lent().
  void form(const Cycle& cycle, QueueIndex queue, Instant most);

  // No job was there.
  bool empty() const { return empty_; }
  // The seat of the job that has the next turn; kNone: all have had theirs.
  EntryIndex head() const { return head_; }
  // The seniority of the job in this seat.
  EffectiveQueueTime queue_time(const PendingEntry& head, const Cycle& cycle) {
    return lenders_.queue_time_of(head, cycle);
  }
  // Whether that seat may have a turn yet.
  bool may_come_to(EntryIndex entry) const { return head_ != kNone && (head_ <= entry || !lanes_.empty()); }
  // The head has had its turn.
  void next(const Cycle& cycle) {
    lenders_.had_turn(head_);
    if (!lanes_.empty()) return next_of_lanes(cycle);
    ++head_;
    skip_placed(cycle);
  }

 private:
  // The jobs of one user, by seat.
  struct Lane {
    UserIndex user = kNone;
    std::vector<EntryIndex> entries;
    std::size_t turn = 0;
  };
  void form_lanes(const Cycle& cycle);
  void next_of_lanes(const Cycle& cycle);
  void choose(const Cycle& cycle);
  void skip_placed(const Cycle& cycle) {
    const PendingEntry* const entries = cycle.line_up.entries.raw().data();
    while (head_ < end_ && entries[head_.value].placed) ++head_;
    if (head_ == end_) head_ = kNone;
  }

  QueueIndex queue_ = kNone;
  EntryIndex head_, end_;
  bool empty_ = true;
  std::vector<Lane> lanes_;  // none: the queue does not tell users apart
  std::size_t lane_ = 0;     // of whom the head is
  AgeLenders lenders_;       // none: the queue's order is the cycle's
};

}  // namespace ym::engine
