// NegativePlacementCache: for which gangs the machines of a flavor have no place, apart from reservations. If a gang
// has none, no larger gang that needs the same of each node has one.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "base/strong_grid.h"
#include "engine/state/impl.h"

namespace ym::engine {

// Valid for one cycle. An entry holds while the trial's epoch stays the same, as machines only become fuller then.
class NegativePlacementCache {
 public:
  explicit NegativePlacementCache(const State::Impl& state)
      : state_(state), kind_of_(state.needs.size()), least_(0, state.inventory.flavor_names.size()) {}

  // `need`: of a gang of one flavor, or of a part that has one flavor.
  bool has_none(NeedIndex need, FlavorIndex flavor, std::uint64_t epoch) {
    const Least& least = least_of(need, flavor);
    return least.epoch == epoch && state_.needs[need].nodes >= least.nodes;
  }
  // A search has found no place for it.
  void note(NeedIndex need, FlavorIndex flavor, std::uint64_t epoch) {
    Least& least = least_of(need, flavor);
    const std::int32_t nodes = state_.needs[need].nodes;
    if (least.epoch != epoch || nodes < least.nodes) least = {.epoch = epoch, .nodes = nodes};
  }

 private:
  struct Least {
    std::uint64_t epoch = 0;
    std::int32_t nodes = 0;
  };
  // Rule, required level, level of slices, nodes of a slice, task.
  using Kind = std::tuple<RuleIndex, LevelIndex, LevelIndex, std::uint32_t, Task>;
  using KindIndex = StrongIndex<struct KindTag>;

  Least& least_of(NeedIndex need, FlavorIndex flavor);

  const State::Impl& state_;
  std::map<Kind, KindIndex> kinds_;
  IndexedVector<NeedIndex, KindIndex> kind_of_;
  IndexedGrid<KindIndex, FlavorIndex, Least> least_;
};

}  // namespace ym::engine
