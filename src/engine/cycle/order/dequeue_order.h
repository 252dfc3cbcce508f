// DequeueOrder: the jobs of one queue, in the order in which a round tries them.
//
// Usually that is the cycle's own order. In a queue that is fair to its users, the user with the least decayed usage of
// the queue goes first among equally urgent jobs; admissions of this cycle count. Among the jobs of one user, and of
// equal users, the cycle's order holds. A round does not try jobs again that an earlier round has placed.
#pragma once

#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/order/effective_queue_time.h"

namespace ym::engine {

class DequeueOrder {
 public:
  // Forms the order of all jobs that are considered in the queue, before the first is tried. `most`: most_age_lent().
  void form(const Inputs& in, const PendingEntries& pending, const Tried& tried, QueueIndex queue, Instant most);

  // The queue had no job to try.
  bool empty() const { return empty_; }
  // The entry of the next job; kNone: all have been tried.
  EntryIndex head() const { return head_; }
  // The effective queue time of the job in this entry.
  EffectiveQueueTime queue_time(const Inputs& in, const PendingEntries& pending, const PendingEntry& head) {
    return inheritable_ages_.queue_time_of(in, pending, head);
  }
  // Whether that entry may still be tried.
  bool may_come_to(EntryIndex entry) const { return head_ != kNone && (head_ <= entry || !by_user_.empty()); }
  // The head has been tried.
  void next(const PendingEntries& pending, const Tried& tried) {
    inheritable_ages_.was_tried(head_);
    if (!by_user_.empty()) return next_among_users(pending, tried);
    ++head_;
    skip_placed(pending);
  }

 private:
  // The entries of one user's jobs.
  struct UserEntries {
    UserIndex user = kNone;
    std::vector<EntryIndex> entries;
    std::size_t next = 0;
  };
  void group_by_user(const Inputs& in, const PendingEntries& pending, const Tried& tried);
  void next_among_users(const PendingEntries& pending, const Tried& tried);
  void choose(const PendingEntries& pending, const Tried& tried);
  void skip_placed(const PendingEntries& pending) {
    const PendingEntry* const entries = pending.entries.raw().data();
    while (head_ < end_ && entries[head_.value].placed) ++head_;
    if (head_ == end_) head_ = kNone;
  }

  QueueIndex queue_ = kNone;
  EntryIndex head_, end_;
  bool empty_ = true;
  std::vector<UserEntries> by_user_;  // empty: the queue does not distinguish users
  std::size_t head_user_ = 0;         // the head's user, in by_user_
  InheritableAges inheritable_ages_;  // empty: the queue's order is the cycle's
};

}  // namespace ym::engine
