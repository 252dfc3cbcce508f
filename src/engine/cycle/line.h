// Line: the jobs of one queue, in the order in which they have their turns.
//
// Mostly that is the cycle's own. Where a queue is fair to its users, of equally urgent jobs that one goes
// first whose user has used least of the queue lately, what this cycle has admitted included; of one user's
// jobs, and of equal users', the cycle's order holds.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

class Line {
 public:
  void reserve(std::size_t jobs) { jobs_.reserve(jobs); }
  // In the cycle's order as it stands, all before the first turn.
  void add(const Seat& seat) { jobs_.push_back(seat); }
  // When all are there.
  void form(const Cycle& cycle, Index queue);

  bool empty() const { return jobs_.empty(); }
  // Null: all have had their turn.
  const Seat* head() const { return turn_ < jobs_.size() ? &jobs_[turn_] : nullptr; }
  // The head has had its turn.
  void next(const Cycle& cycle);

 private:
  // The jobs of one user, as places in the line.
  struct Lane {
    Index user = kNone;
    std::vector<std::size_t> places;
    std::size_t turn = 0;
  };
  void choose(const Cycle& cycle);

  std::vector<Seat> jobs_;
  std::size_t turn_ = 0;
  Index queue_ = kNone;
  std::vector<Lane> lanes_;  // none: the queue does not tell users apart
  std::size_t lane_ = 0;     // of whom the head is
};

}  // namespace ym::engine
