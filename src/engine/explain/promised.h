// Who is promised what a job would have now.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Of a cycle at its end, which must outlive it.
class Promised {
 public:
  explicit Promised(const Cycle& cycle);

  // Of those before this rank the one whose reservation begins first of what the job would have of machines now,
  // or else of quota; null: nobody holds one of these.
  const Booking* first_before(Rank rank, const Flavors& flavors);
  // The rank of the first at or behind this one who holds a reservation; kNone: nobody.
  Rank next_holder(Rank rank) const;

 private:
  // By reservation: whether there is room on a node of it now.
  enum class Room : std::uint8_t { unknown, none, some };
  std::vector<Room>& known_of(const Shape& shape, const Flavors& flavors);
  bool has_room(const Booking& booking, const Shape& shape, const Flavors& flavors) const;

  const Cycle& cycle_;
  std::vector<Rank> holders_;                                                    // by reservation
  std::vector<std::size_t> by_begin_;                                            // reservations: the earliest first
  std::map<std::tuple<FlavorIndex, RuleIndex, Task>, std::vector<Room>> known_;  // by flavor, rule and task
  std::vector<Room> of_mix_;  // of the shape that was asked for last, where its tasks are not alike
};

}  // namespace ym::engine
