#include "engine/cycle/negative_placement_cache.h"

namespace ym::engine {

NegativePlacementCache::Least& NegativePlacementCache::least_of(NeedIndex need, FlavorIndex flavor) {
  const std::size_t flavors = state_.inventory.flavor_names.size();
  if (kind_of_[need] == kNone) {
    const Need& one = state_.needs[need];
    const Levels& levels = one.levels;
    const Kind kind{one.rule, levels.required, levels.slice, levels.slice_nodes, one.task};
    kind_of_[need] = kinds_.emplace(kind, static_cast<Index>(kinds_.size())).first->second;
    least_.resize(kinds_.size() * flavors);
  }
  return least_[std::size_t{kind_of_[need]} * flavors + flavor.value];
}

}  // namespace ym::engine
