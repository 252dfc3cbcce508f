// Shapes: what makes jobs alike. They are shared while they have a user.
#include <algorithm>

#include "base/assert.h"
#include "engine/state/impl.h"

namespace ym::engine {

Shape Shape::part(const Flavors& flavors, PartIndex part) const {
  Shape own = *this;
  own.anchor = 0;
  if (!flavors.is_mix()) return own;
  if (groups.empty()) {
    const bool is_anchor = part == PartIndex{0};
    own.need_index = is_anchor ? anchor_need : rest_need;
    own.nodes = is_anchor ? anchor : nodes - anchor;
    own.most_nodes = is_anchor ? anchor : most_nodes - anchor;
  } else {
    const Group& group = groups[part.value];
    own.need_index = group.need_index;
    own.rule = group.rule;
    own.task = group.task;
    own.nodes = own.most_nodes = group.nodes;
  }
  own.groups.clear();
  return own;
}

GangNeed Shape::need() const {
  const auto part = [](RuleIndex own, const Task& asked, std::int32_t count) {
    return GangPart{.rule = own, .task = NodeNeed::of(asked), .nodes = static_cast<std::size_t>(count)};
  };
  GangNeed need{part(rule, task, nodes), levels, {}};
  if (anchor > 0) need.parts.raw() = {part(rule, task, anchor), part(rule, task, nodes - anchor)};
  for (const Group& group : groups) need.parts.push_back(part(group.rule, group.task, group.nodes));
  return need;
}

ShapeIndex State::Impl::acquire_shape(Shape wanted, const std::vector<NodeRule>& rules) {
  YM_ASSERT(rules.size() == std::max<std::size_t>(1, wanted.groups.size()));
  std::vector<RuleIndex> held;
  for (const NodeRule& rule : rules) held.push_back(inventory.acquire_rule(rule));
  wanted.rule = held.front();
  for (std::size_t group = 0; group < wanted.groups.size(); ++group) {
    wanted.groups[group].rule = held[group];
    wanted.groups[group].need_index = acquire_need(wanted, wanted.groups[group]);
  }
  const auto alike = [&](std::int32_t nodes) {
    return acquire_need(wanted, {.nodes = nodes, .task = wanted.task, .rule = wanted.rule});
  };
  wanted.need_index = alike(wanted.nodes);
  if (wanted.anchor > 0) {
    wanted.anchor_need = alike(wanted.anchor);
    wanted.rest_need = alike(wanted.nodes - wanted.anchor);
  }
  const auto [shape, fresh_shape] = shapes.acquire(wanted);
  // A shape holds its needs once, and each need its rule, however many jobs share them.
  if (!fresh_shape) release_needs(wanted);
  for (const RuleIndex rule : held) inventory.release_rule(rule);
  return shape;
}

// The need of a part of the shape.
NeedIndex State::Impl::acquire_need(const Shape& shape, const Group& part) {
  const auto [need, fresh] =
      needs.acquire({.rule = part.rule, .levels = shape.levels, .task = part.task, .nodes = part.nodes});
  if (!fresh) return need;
  hardware.forget(need);
  const RuleIndex rule = inventory.acquire_rule(NodeRule(inventory.rule(part.rule)));
  YM_ASSERT(rule == part.rule);
  return need;
}

void State::Impl::release_need(NeedIndex need) {
  if (need == kNone) return;
  const RuleIndex rule = needs[need].rule;
  if (!needs.release(need)) return;
  free_times.forget(need);
  inventory.release_rule(rule);
}

void State::Impl::release_needs(const Shape& shape) {
  for (const NeedIndex need : {shape.need_index, shape.anchor_need, shape.rest_need}) release_need(need);
  for (const Group& group : shape.groups) release_need(group.need_index);
}

void State::Impl::release_shape(ShapeIndex shape) {
  if (shapes.release(shape)) release_needs(shapes[shape]);
}

}  // namespace ym::engine
