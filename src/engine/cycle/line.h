// Line: the jobs of one queue, in the order in which they have their turns.
//
// Mostly that is the cycle's own. Where a queue is fair to its users, of equally urgent jobs that one goes
// first whose user has used least of the queue lately, what this cycle has admitted included; of one user's
// jobs, and of equal users', the cycle's order holds. Who has been placed in an earlier round has no turn any more.
#pragma once

#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/seniority.h"

namespace ym::engine {

class Line {
 public:
  // All who are considered there, before the first turn. `most`: most_lent().
  void form(const Cycle& cycle, QueueIndex queue, Instant most);

  // No job was there.
  bool empty() const { return empty_; }
  // The seat of the job that has the next turn; kNone: all have had theirs.
  SeatIndex head() const { return head_; }
  // The seniority of the job in this seat.
  Seniority seniority(const Seat& head, const Cycle& cycle) { return lenders_.seniority_of(head, cycle); }
  // Whether that seat may have a turn yet.
  bool may_come_to(SeatIndex seat) const { return head_ != kNone && (head_ <= seat || !lanes_.empty()); }
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
    std::vector<SeatIndex> seats;
    std::size_t turn = 0;
  };
  void form_lanes(const Cycle& cycle);
  void next_of_lanes(const Cycle& cycle);
  void choose(const Cycle& cycle);
  void skip_placed(const Cycle& cycle) {
    const Seat* const seats = cycle.line_up.seats.raw().data();
    while (head_ < end_ && seats[head_.value].placed) ++head_;
    if (head_ == end_) head_ = kNone;
  }

  QueueIndex queue_ = kNone;
  SeatIndex head_, end_;
  bool empty_ = true;
  std::vector<Lane> lanes_;  // none: the queue does not tell users apart
  std::size_t lane_ = 0;     // of whom the head is
  Lenders lenders_;          // none: the queue's order is the cycle's
};

}  // namespace ym::engine
