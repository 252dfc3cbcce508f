// What makes jobs alike: shared for as long as somebody has it.
#include "engine/state/impl.h"

namespace ym::engine {

Shape Shape::part(const Flavors& flavors, Index flavor) const {
  Shape part = *this;
  if (!flavors.is_mix()) return part;
  const bool is_anchor = flavor == flavors.anchor();
  part.need_index = is_anchor ? anchor_need : rest_need;
  part.nodes = is_anchor ? anchor : nodes - anchor;
  part.most_nodes = is_anchor ? anchor : most_nodes - anchor;
  part.anchor = 0;
  return part;
}

Index State::Impl::acquire_shape(Shape wanted, const NodeRule& rule) {
  wanted.rule = inventory.acquire_rule(rule);
  wanted.need_index = acquire_need(wanted, wanted.nodes);
  if (wanted.anchor > 0) {
    wanted.anchor_need = acquire_need(wanted, wanted.anchor);
    wanted.rest_need = acquire_need(wanted, wanted.nodes - wanted.anchor);
  }
  const auto [shape, fresh_shape] = shapes.acquire(wanted);
  // A shape holds its needs once, and each of them its rule, however many jobs share them.
  if (!fresh_shape) release_needs(wanted);
  inventory.release_rule(wanted.rule);
  return shape;
}

// Of the shape at this size.
Index State::Impl::acquire_need(const Shape& shape, std::int32_t nodes) {
  const auto [need, fresh] =
      needs.acquire({.rule = shape.rule, .levels = shape.levels, .task = shape.task, .nodes = nodes});
  if (!fresh) return need;
  hardware.forget(need);
  const Index rule = inventory.acquire_rule(NodeRule(inventory.rule(shape.rule)));
  YM_ASSERT(rule == shape.rule);
  return need;
}

void State::Impl::release_needs(const Shape& shape) {
  for (const Index need : {shape.need_index, shape.anchor_need, shape.rest_need})
    if (need != kNone && needs.release(need)) inventory.release_rule(shape.rule);
}

void State::Impl::release_shape(Index shape) {
  if (shapes.release(shape)) release_needs(shapes[shape]);
}

}  // namespace ym::engine
