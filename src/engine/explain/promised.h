// Which job holds a backfill reservation for what a job could use now.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// For a cycle at its end, which must outlive it.
class Promised {
 public:
  Promised(const Inputs& in, const PendingEntries& pending, const Tried& tried);

  // Among the reservations of jobs before this rank, the one that begins first and holds machines with room for the job
  // now, or else quota of its tree; null: there is none.
  const Booking* first_before(Rank rank, const Flavors& flavors);
  // The lowest rank, from this one on, of a job with a reservation; kNone: there is none.
  Rank next_holder(Rank rank) const;

 private:
  // Whether one of the nodes of a reservation has room now.
  enum class Room : std::uint8_t { unknown, none, some };
  using Rooms = IndexedVector<BookingIndex, Room>;
  Rooms& known_of(const Shape& shape, const Flavors& flavors);
  bool has_room(const Booking& booking, const Shape& shape, const Flavors& flavors) const;

  const Inputs& in_;
  const PendingEntries& pending_;
  const Tried& tried_;
  IndexedVector<BookingIndex, Rank> holders_;
  std::vector<BookingIndex> by_begin_;                               // the earliest first
  std::map<std::tuple<FlavorIndex, RuleIndex, Task>, Rooms> known_;  // by flavor, rule and task
  Rooms of_mix_;                                                     // of the last shape, if its tasks differ
};

}  // namespace ym::engine
