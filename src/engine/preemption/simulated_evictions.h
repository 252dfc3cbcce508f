// Those who have departed in a trial for a job, one after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/preemption/room.h"

namespace ym::engine {

// All of them are back when it goes. What this cycle has admitted has to depart before all others.
class SimulatedEvictions {
 public:
  explicit SimulatedEvictions(Room& room) : room_(room), mark_(room.trial().mark()) {}
  ~SimulatedEvictions() { come_back(); }
  SimulatedEvictions(const SimulatedEvictions&) = delete;
  SimulatedEvictions& operator=(const SimulatedEvictions&) = delete;

  const Candidates& all() const { return gone_; }
  std::size_t size() const { return gone_.size(); }
  // Whether the job can run now, and has the right to all of them.
  bool has_room() { return room_.has_right(gone_) && room_.is_enough(gone_); }

  // If it may as things are now. Those who have departed already stay gone.
  bool depart(const Candidate& one);
  // All of them, or none: those first who have least.
  bool depart_all(Candidates some);
  // Those of them that only this cycle has admitted.
  void depart_fresh(const Candidates& candidates);

  // The last come back for as long as there is room, but not the first `least`. Precondition: there is
  // room, and there was none with the first `least` alone.
  void shorten(std::size_t least);
  // Each comes back without whom there is room still, the most precious first. Precondition: there is.
  void thin();
  void come_back();

 private:
  void go(const Candidate& one);
  void return_last();
  bool is_known(const Running& one) const { return one.number < known_.size() && known_[one.number]; }
  bool may_depart(const Candidate& one);
  bool try_to_return(std::size_t from, std::size_t to);
  void thin(std::size_t from, std::size_t to);

  Room& room_;
  Trial::Mark mark_;
  Candidates gone_;
  std::vector<bool> known_;         // the same, by number in the roster
  std::optional<Kinds> contested_;  // once those who run depart
};

}  // namespace ym::engine
