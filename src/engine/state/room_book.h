// RoomBook: when there is room on the machines of a flavor, by itself, for all who need the same of them: found when
// first asked for, brought up to date by who asks again, forgotten when the machines are others. A copy of the state
// begins with none.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/time.h"
#include "engine/state/hardware.h"
#include "engine/state/rooms.h"

namespace ym::engine {

class RoomBook {
 public:
  RoomBook() = default;
  RoomBook(const RoomBook&) {}
  RoomBook& operator=(const RoomBook&) { return *this = RoomBook(); }
  RoomBook(RoomBook&&) = default;
  RoomBook& operator=(RoomBook&&) = default;
  ~RoomBook() = default;

  // What else decides about ends that are sure: another policy, and nothing that was seen holds.
  struct Rules {
    Duration start_allowance, overdue_margin;
    bool operator==(const Rules&) const = default;
  };
  void follow(const Inventory& inventory, const Rules& rules);
  // `need`: its index among all. Filled with those that can serve. It stays where it is until the next
  // `follow`.
  Rooms& of(Index need, Index flavor, const Hardware& hardware);
  // The need is gone.
  void forget(Index need);

 private:
  std::uint64_t as_of_ = 0;  // Inventory::changes
  Rules rules_;
  std::map<std::pair<Index, Index>, Rooms> rooms_;  // by need and flavor
};

}  // namespace ym::engine
