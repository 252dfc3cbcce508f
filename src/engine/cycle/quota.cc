// Which flavors each shape may use, and whether their quota can ever suffice.
#include "engine/cycle/cycle.h"
#include "engine/quota/demand.h"

namespace ym::engine {

void quota(Cycle& cycle) {
  const QuotaTree& tree = cycle.state.quota;
  const bool limits = cycle.policy.quota_phase;
  const std::vector<Index> all = cycle.state.inventory.flavors();
  for (Index i = 0; i < cycle.cases.size(); ++i) {
    if (!cycle.cases[i].open) continue;
    const Shape& shape = cycle.state.shapes[i];
    const auto& own = tree.flavors(shape.queue);
    for (const Index flavor : limits&& own ? *own : all)
      cycle.cases[i].options.push_back(
          {.flavor = flavor, .within_max = !limits || !short_forever(tree, shape, flavor)});
  }
}

}  // namespace ym::engine
