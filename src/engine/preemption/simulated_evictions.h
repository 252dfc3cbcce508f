// The simulated evictions of a trial for one job, in order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

// The destructor brings all of them back. Admissions of this cycle have to depart before all other jobs.
class SimulatedEvictions {
 public:
  explicit SimulatedEvictions(Room& room) : room_(room), mark_(room.trial().mark()) {}
  ~SimulatedEvictions() { come_back(); }
  SimulatedEvictions(const SimulatedEvictions&) = delete;
  SimulatedEvictions& operator=(const SimulatedEvictions&) = delete;

  const Candidates& all() const { return gone_; }
  std::size_t size() const { return gone_.size(); }
  // Whether the job can run now, and has the right to all that departed.
  bool has_room() { return room_.has_right(gone_) && room_.is_enough(gone_); }

  // Lets it depart if the rules allow it now. Earlier departures stay.
  bool depart(const Candidate& one);
  // All of them or none, the smallest first.
  bool depart_all(Candidates some);
  // The candidates that are admissions of this cycle.
  void depart_tentative(const Candidates& candidates);

  // The last ones come back while the job still has room, but not the first `least`. Precondition: there is room, and
  // there was none with the first `least` alone.
  void shorten(std::size_t least);
  // Each job comes back if there is still room, the most valuable first. Precondition: there is room.
  void thin();
  void come_back();

 private:
  void go(const Candidate& one);
  void return_last();
  bool is_known(const Running& one) const { return known_.has(one.number) && known_[one.number]; }
  bool may_depart(const Candidate& one);
  bool try_to_return(std::size_t from, std::size_t to);
  void thin(std::size_t from, std::size_t to);

  Room& room_;
  Trial::Mark mark_;
  Candidates gone_;
  IndexedVector<PreemptibleIndex, bool> known_;  // the same
  std::optional<Kinds> contested_;               // when running jobs begin to depart
};

}  // namespace ym::engine
