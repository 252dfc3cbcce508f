#include "engine/explain/places.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/placement/together.h"
#include "engine/state/nodes/slices.h"

namespace ym::engine {
namespace {

// Which nodes count: allowed nodes only, or also nodes that the job excludes by name.
enum class Which : std::uint8_t { allowed, excluded_too };

// What a part asks of its nodes.
struct Asked {
  std::size_t wanted = 0;
  FlavorIndex flavor = kNone;
  NodeNeed task;
  NodeRule rule;  // without exclusions
  RuleIndex own_rule = kNone;
};

IndexedVector<PartIndex, Asked> parts_of(const Inventory& inventory, const Shape& shape, const Flavors& flavors) {
  IndexedVector<PartIndex, Asked> parts;
  for (const PartIndex part : indices<PartIndex>(shape.parts(flavors))) {
    const Shape own = shape.part(flavors, part);
    parts.emplace_back(static_cast<std::size_t>(own.nodes), flavors.of(part), NodeNeed::of(own.task),
                       inventory.rule(own.rule), own.rule);
    parts[part].rule.exclude.clear();
  }
  return parts;
}

// The nodes of one place that are large enough, whatever runs there.
class PlaceNodes {
 public:
  PlaceNodes(const Inventory& inventory, const Levels& levels, const IndexedVector<PartIndex, Asked>& parts)
      : inventory_(inventory), levels_(levels), parts_(parts), alone_(parts.size()) {}

  // Adds a pool of one of the flavors.
  void add(const Pool& pool, FlavorIndex flavor, Which which) {
    IndexedVector<PartIndex, std::vector<NodeIndex>> large(parts_.size());
    for (const NodeIndex node : pool.nodes) {
      PartMask could = 0;
      for (const PartIndex i : parts_.indices()) {
        if (parts_[i].flavor != flavor || !may_have(parts_[i], node, which)) continue;
        could |= mask_of(bit_of(i));
        large[i].push_back(node);
      }
      if (could != 0) nodes_.push_back(could);
    }
    for (const PartIndex i : parts_.indices())
      if (parts_[i].flavor == flavor) alone_[i] = usable(inventory_.topology, levels_, large[i]);
  }

  // By Hall's theorem (together.h), all parts find their nodes if each subset of parts does.
  std::optional<TooFew> lack() const {
    std::optional<TooFew> found;
    const auto says_less = [](const TooFew& one, const TooFew& other) {
      if (one.parts.size() != other.parts.size()) return one.parts.size() > other.parts.size();
      return one.missing() < other.missing();
    };
    for (PartMask set = 1; set < PartMask{1} << parts_.size(); ++set) {
      TooFew here = of(set);
      if (here.possible < here.needed && (!found || says_less(*found, here))) found = std::move(here);
    }
    return found;
  }

  TooFew of(PartMask set) const {
    TooFew here;
    for (const PartIndex i : parts_.indices())
      if ((set & mask_of(bit_of(i))) != 0) {
        here.parts.push_back(i);
        here.needed += parts_[i].wanted;
      }
    here.possible = here.parts.size() == 1 ? alone_[here.parts.front()] : could_have(set);
    return here;
  }

  std::size_t could_have(PartMask set) const {
    return static_cast<std::size_t>(std::ranges::count_if(nodes_, [&](PartMask could) { return (could & set) != 0; }));
  }

 private:
  bool may_have(const Asked& part, NodeIndex node, Which which) const {
    const bool allowed = which == Which::excluded_too ? inventory_.admits(part.rule, *inventory_.rows[node])
                                                      : inventory_.matches(part.own_rule, node);
    return allowed && inventory_.large_enough(node, part.task);
  }

  const Inventory& inventory_;
  const Levels& levels_;
  const IndexedVector<PartIndex, Asked>& parts_;
  std::vector<PartMask> nodes_;                  // mask of the parts that could use each node
  IndexedVector<PartIndex, std::size_t> alone_;  // nodes for the part if it were the only one
};

// The nodes of the place of this pool. The pool is of the first part's flavor.
PlaceNodes nodes_at(const Inventory& inventory, const Shape& shape, const Flavors& flavors,
                    const IndexedVector<PartIndex, Asked>& parts, const Pool& pool, Which which) {
  PlaceNodes place(inventory, shape.levels, parts);
  for (const FlavorIndex flavor : flavors.each()) {
    const bool first = flavor == flavors.first();
    const Pool* here = first ? &pool : inventory.pool_beside(pool, flavor, shape.levels.required);
    if (here) place.add(*here, flavor, which);
  }
  return place;
}

void keep_closest(std::optional<TooFew>& closest, TooFew here) {
  if (!closest || here.missing() < closest->missing()) closest = std::move(here);
}

}  // namespace

std::optional<TooFew> too_few(const Inventory& inventory, const Shape& shape, const Flavors& flavors) {
  const auto parts = parts_of(inventory, shape, flavors);
  std::optional<TooFew> closest;
  for (const Pool& pool : inventory.pools(flavors.first(), shape.levels)) {
    auto lack = nodes_at(inventory, shape, flavors, parts, pool, Which::allowed).lack();
    if (!lack) return std::nullopt;
    keep_closest(closest, std::move(*lack));
  }
  return closest;
}

std::optional<TooFew> too_few_by_exclusion(const Inventory& inventory, const Shape& shape, const Flavors& flavors) {
  const auto parts = parts_of(inventory, shape, flavors);
  const auto excludes = [&](const Asked& part) { return !inventory.rule(part.own_rule).exclude.empty(); };
  std::optional<TooFew> closest;
  if (std::ranges::none_of(parts, excludes)) return closest;
  for (const Pool& pool : inventory.pools(flavors.first(), shape.levels)) {
    const auto all = nodes_at(inventory, shape, flavors, parts, pool, Which::excluded_too);
    if (all.lack()) continue;
    const auto allowed = nodes_at(inventory, shape, flavors, parts, pool, Which::allowed);
    auto lack = allowed.lack();
    if (!lack) return std::nullopt;
    PartMask set = 0;
    for (const PartIndex part : lack->parts) set |= mask_of(bit_of(part));
    lack->excluded = all.could_have(set) - allowed.could_have(set);
    keep_closest(closest, std::move(*lack));
  }
  return closest;
}

}  // namespace ym::engine
