// Which flavors each shape may use, and whether their quota can ever suffice.
#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/quota/demand.h"

namespace ym::engine {

namespace {

// The flavors in the order in which jobs of the queue try them: as its quota lists them, or
// else as they are configured.
std::vector<Index> flavors_of(const QuotaTree& tree, Index queue, const std::vector<Index>& configured) {
  const auto& own = tree.flavors(queue);
  if (!own) return configured;
  if (tree.orders_flavors(queue)) return *own;
  // Those that exist, as they are configured; then those that quota only names.
  std::vector<Index> ordered;
  const auto among = [](const std::vector<Index>& all, Index flavor) {
    return std::ranges::find(all, flavor) != all.end();
  };
  for (const Index flavor : configured)
    if (among(*own, flavor)) ordered.push_back(flavor);
  for (const Index flavor : *own)
    if (!among(configured, flavor)) ordered.push_back(flavor);
  return ordered;
}

// Each flavor by itself; where the shape has an anchor which may not be of that, with each that it may be of.
std::vector<Flavors> choices_of(const Inventory& inventory, const Shape& shape, const std::vector<Index>& flavors) {
  std::vector<Flavors> choices;
  for (const Index rest : flavors) {
    if (shape.anchor == 0 || !inventory.is_spot(rest)) {
      choices.emplace_back(rest);
      continue;
    }
    // Nobody is beside the anchor.
    if (shape.anchor == shape.most_nodes) continue;
    for (const Index anchor : flavors)
      if (inventory.may_anchor(anchor, rest)) choices.push_back(Flavors::mix(anchor, rest));
  }
  return choices;
}

}  // namespace

void quota(Cycle& cycle) {
  const QuotaTree& tree = cycle.state.quota;
  const bool limits = cycle.policy.quota_phase;
  const std::vector<Index> configured = cycle.state.inventory.flavors();
  for (Index i = 0; i < cycle.cases.size(); ++i) {
    if (!cycle.cases[i].open) continue;
    const Shape& shape = cycle.state.shapes[i];
    const auto flavors = limits ? flavors_of(tree, shape.queue, configured) : configured;
    for (const Flavors& choice : choices_of(cycle.state.inventory, shape, flavors))
      cycle.cases[i].options.push_back(
          {.flavors = choice, .within_max = !limits || !short_forever(tree, shape, choice)});
  }
}

}  // namespace ym::engine
