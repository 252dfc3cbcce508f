#include "engine/cycle/negative_placement_cache.h"

namespace ym::engine {

NegativePlacementCache::Least& NegativePlacementCache::least_of(NeedIndex need, FlavorIndex flavor) {
  if (kind_of_[need] == kNone) {
    const Need& one = state_.needs[need];
    const Levels& levels = one.levels;
    const Kind kind{one.rule, levels.required, levels.slice, levels.slice_nodes, one.task};
    const auto [known, is_new] = kinds_.try_emplace(kind);
    if (is_new) known->second = least_.add_row();
    kind_of_[need] = known->second;
  }
  return least_[kind_of_[need], flavor];
}

}  // namespace ym::engine
