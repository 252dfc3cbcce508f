// Which job holds a backfill reservation for what a job could use now.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// For a cycle at its end, which must outlive it.
class ReservationFinder {
 public:
  ReservationFinder(const Inputs& in, const PendingEntries& pending, const Tried& tried);

  // Among the reservations of jobs before this rank, the one that begins first and holds machines with room for the job
  // now, or else quota of its tree; null: there is none.
  const Booking* first_before(Rank rank, const Flavors& flavors);
  // The lowest rank, from this one on, of a job with a reservation; kNone: there is none.
  Rank next_holder(Rank rank) const;

 private:
  // By reservation: whether one of its nodes has room now.
  enum class Room : std::uint8_t { unknown, none, some };
  std::vector<Room>& known_of(const Shape& shape, const Flavors& flavors);
  bool has_room(const Booking& booking, const Shape& shape, const Flavors& flavors) const;

  const Inputs& in_;
  const PendingEntries& pending_;
  const Tried& tried_;
  std::vector<Rank> holders_;                                                    // by reservation
  std::vector<std::size_t> by_begin_;                                            // reservations: the earliest first
  std::map<std::tuple<FlavorIndex, RuleIndex, Task>, std::vector<Room>> known_;  // by flavor, rule and task
  std::vector<Room> of_mix_;  // of the last shape, if its tasks differ
};

}  // namespace ym::engine
