// FreeTimesBook: when the machines of a flavor have room, one book for all jobs that need the same of each node.
// Computed at the first question, brought up to date at later ones, dropped when the machines change. A copy of the
// state begins with none.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "base/time.h"
#include "engine/state/nodes/hardware.h"
#include "engine/state/timeline/free_times.h"

namespace ym::engine {

class FreeTimesBook {
 public:
  FreeTimesBook() = default;
  FreeTimesBook(const FreeTimesBook&) {}
  FreeTimesBook& operator=(const FreeTimesBook&) { return *this = FreeTimesBook(); }
  FreeTimesBook(FreeTimesBook&&) = default;
  FreeTimesBook& operator=(FreeTimesBook&&) = default;
  ~FreeTimesBook() = default;

  // Settings on which ends depend: another policy makes earlier results invalid.
  struct Rules {
    Duration start_allowance, overdue_margin;
    bool operator==(const Rules&) const = default;
  };
  void follow(const Inventory& inventory, const Rules& rules);
  // For a gang of one flavor, or a part that is. `index`: of its need, among all needs. Filled with the nodes that can
  // serve. The reference stays valid until the next `follow`, or until no need is left that asked for it.
  FreeTimes& of(const Inventory& inventory, const GangNeed& need, NeedIndex index, FlavorIndex flavor,
                const Hardware& hardware);
  // The need does not exist any more.
  void forget(NeedIndex index);

 private:
  // The number of nodes of a gang does not matter.
  struct Asked {
    FlavorIndex flavor = kNone;
    RuleIndex rule = kNone;
    LevelIndex level = kNone;
    NodeNeed task;
    auto operator<=>(const Asked&) const = default;
  };
  struct Kept {
    FreeTimes free_times;
    std::vector<NeedIndex> needs;  // that asked for it
  };

  std::uint64_t as_of_ = 0;  // Inventory::changes
  Rules rules_;
  std::map<Asked, Kept> kept_;
};

}  // namespace ym::engine
