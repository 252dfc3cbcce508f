// Which flavors each shape may use, and whether their quota can ever suffice.
#include <algorithm>
#include <array>

#include "engine/cycle/cycle.h"
#include "engine/cycle/new_nodes/provision.h"
#include "engine/quota/demand.h"

namespace ym::engine {

namespace {

// The flavors in the order in which jobs of the queue try them: as its quota lists them, or else as configured.
std::vector<FlavorIndex> flavors_of(const QuotaTree& tree, QueueIndex queue,
                                    const std::vector<FlavorIndex>& configured) {
  const auto& own = tree.flavors(queue);
  if (!own) return configured;
  if (tree.orders_flavors(queue)) return *own;
  // First flavors that exist, as configured; then flavors that only quota names.
  std::vector<FlavorIndex> ordered;
  const auto among = [](const std::vector<FlavorIndex>& all, FlavorIndex flavor) {
    return std::ranges::find(all, flavor) != all.end();
  };
  for (const FlavorIndex flavor : configured)
    if (among(*own, flavor)) ordered.push_back(flavor);
  for (const FlavorIndex flavor : *own)
    if (!among(configured, flavor)) ordered.push_back(flavor);
  return ordered;
}

// As listed, or by price; equal prices as listed.
std::vector<FlavorIndex> in_order_of_choice(const Inputs& in, const std::vector<FlavorIndex>& flavors) {
  if (in.policy.flavor_choice == FlavorChoice::listed) return flavors;
  std::vector<std::pair<std::int64_t, std::size_t>> prices;
  for (std::size_t place = 0; place < flavors.size(); ++place)
    prices.emplace_back(in.state.inventory.price_micros_per_gpu_hour(flavors[place]), place);
  std::ranges::sort(prices);
  std::vector<FlavorIndex> ordered;
  for (const auto& [price, place] : prices) ordered.push_back(flavors[place]);
  return ordered;
}

// The flavors that suffice for the group by itself, or in which nodes could be made for it. If there are none: those
// with nodes that it may use. If there are none either: all, so that the reason can say so.
std::vector<FlavorIndex> flavors_for(const Inputs& in, const Shape& shape, PartIndex group,
                                     const std::vector<FlavorIndex>& flavors) {
  std::vector<FlavorIndex> enough, some;
  for (const FlavorIndex flavor : flavors) {
    const std::vector<FlavorIndex> alike(shape.groups.size(), flavor);
    const Shape part = shape.part(Flavors::of_parts(alike), group);
    const Hardware& hardware = hardware_of(in, part, flavor);
    if (hardware.matching > 0) some.push_back(flavor);
    const bool are_enough = hardware.possible >= static_cast<std::size_t>(part.nodes);
    if (are_enough || (in.policy.provision_phase && could_be_provisioned(in, part, flavor))) enough.push_back(flavor);
  }
  if (!enough.empty()) return enough;
  return some.empty() ? flavors : some;
}

// At most this many combinations are tried.
constexpr std::size_t kMostChoices = 64;

// All combinations of flavors; the last group varies fastest.
std::vector<Flavors> choices_for_groups(const Inputs& in, const Shape& shape, const std::vector<FlavorIndex>& flavors) {
  std::vector<std::vector<FlavorIndex>> choices(1);
  for (const PartIndex group : indices<PartIndex>(shape.groups.size())) {
    const auto own = flavors_for(in, shape, group, flavors);
    std::vector<std::vector<FlavorIndex>> longer;
    for (const auto& begun : choices)
      for (const FlavorIndex flavor : own) {
        if (longer.size() == kMostChoices) break;
        longer.push_back(begun);
        longer.back().push_back(flavor);
      }
    choices = std::move(longer);
  }
  std::vector<Flavors> all;
  for (const auto& parts : choices)
    if (!parts.empty()) all.push_back(Flavors::of_parts(parts));
  return all;
}

// Each flavor by itself. If the anchor may not be of that flavor: combined with each flavor that may be the anchor's.
std::vector<Flavors> choices_of(const Inputs& in, const Shape& shape, const std::vector<FlavorIndex>& flavors) {
  const Inventory& inventory = in.state.inventory;
  if (!shape.groups.empty()) return choices_for_groups(in, shape, flavors);
  std::vector<Flavors> choices;
  for (const FlavorIndex rest : flavors) {
    if (shape.anchor == 0 || !inventory.is_spot(rest)) {
      choices.emplace_back(rest);
      continue;
    }
    // The anchor is the whole job.
    if (shape.anchor == shape.most_nodes) continue;
    for (const FlavorIndex anchor : flavors)
      if (inventory.may_anchor(anchor, rest)) choices.push_back(Flavors::of_parts(std::array{anchor, rest}));
  }
  return choices;
}

}  // namespace

void quota(const Inputs& in, Findings& known) {
  const QuotaTree& tree = in.state.quota;
  const bool limits = in.policy.quota_phase;
  const std::vector<FlavorIndex> configured = in.state.inventory.flavors();
  for (const ShapeIndex i : indices<ShapeIndex>(known.shape_caches.size())) {
    if (!known.shape_caches[i].open) continue;
    const Shape& shape = in.state.shapes[i];
    const auto flavors = in_order_of_choice(in, limits ? flavors_of(tree, shape.queue, configured) : configured);
    for (const Flavors& choice : choices_of(in, shape, flavors))
      known.shape_caches[i].options.push_back(
          {.flavors = choice, .within_max = !limits || !short_forever(tree, shape, choice)});
  }
}

}  // namespace ym::engine
