// What makes jobs alike: shared for as long as somebody has it.
#include "engine/state/impl.h"

namespace ym::engine {

Index State::Impl::acquire_shape(Shape wanted, const NodeRule& rule) {
  wanted.rule = inventory.acquire_rule(rule);
  const auto [need_index, fresh_need] =
      needs.acquire({.rule = wanted.rule, .levels = wanted.levels, .task = wanted.task, .nodes = wanted.nodes});
  wanted.need_index = need_index;
  const auto [shape, fresh_shape] = shapes.acquire(wanted);
  if (fresh_need) hardware.forget(need_index);
  // A shape holds its need once, and a need its rule, however many jobs share them.
  if (!fresh_need) inventory.release_rule(wanted.rule);
  if (!fresh_shape) needs.release(need_index);
  return shape;
}

void State::Impl::release_shape(Index shape) {
  if (!shapes.release(shape)) return;
  if (needs.release(shapes[shape].need_index)) inventory.release_rule(shapes[shape].rule);
}

}  // namespace ym::engine
