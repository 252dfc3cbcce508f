// RoomBook: when there is room on the machines of a flavor, by itself, for all who need the same of each of them: found
// when first asked for, brought up to date by who asks again, forgotten when the machines are others. A copy of the
// state begins with none.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

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
  // Of a gang of one flavor, or of a part that is. `index`: of its need, among all. Filled with those that can serve.
  // It stays where it is until the next `follow`, or until no need is left that asked for it.
  Rooms& of(const Inventory& inventory, const GangNeed& need, NeedIndex index, FlavorIndex flavor,
            const Hardware& hardware);
  // The need is gone.
  void forget(NeedIndex index);

 private:
  // How many nodes a gang needs is no matter.
  struct Asked {
    FlavorIndex flavor = kNone;
    RuleIndex rule = kNone;
    LevelIndex level = kNone;
    NodeNeed task;
    auto operator<=>(const Asked&) const = default;
  };
  struct Kept {
    Rooms rooms;
    std::vector<NeedIndex> needs;  // that asked for it
  };

  std::uint64_t as_of_ = 0;  // Inventory::changes
  Rules rules_;
  std::map<Asked, Kept> kept_;
};

}  // namespace ym::engine
