#include "engine/cycle/size.h"

#include <numeric>

namespace ym::engine {
namespace {

// The largest size below `too_large` that passes. Who passes at a size passes at each smaller
// one: less is asked for, of machines and of quota. Precondition: `passing` does.
template <class Passes>
std::int32_t largest(std::int32_t passing, std::int32_t too_large, Passes passes) {
  while (passing + 1 < too_large) {
    const std::int32_t middle = std::midpoint(passing, too_large);
    (passes(middle) ? passing : too_large) = middle;
  }
  return passing;
}

}  // namespace

std::optional<Choice> choose_largest(const Cycle& cycle, const Shape& shape, Index flavor) {
  const auto has_quota = [&](std::int32_t nodes) { return !cycle.quota_stops(shape.sized(nodes), flavor); };
  const auto place = [&](std::int32_t nodes) {
    return choose(cycle.state.inventory, flavor, shape.sized(nodes).need(), cycle.kept_nodes.keepers());
  };
  auto best = place(shape.nodes);
  if (!best || shape.most_nodes == shape.nodes) return best;
  const auto most = largest(shape.nodes, shape.most_nodes + 1, has_quota);
  largest(shape.nodes, most + 1, [&](std::int32_t nodes) {
    auto larger = place(nodes);
    const bool fits = larger.has_value();
    if (fits) best = std::move(larger);
    return fits;
  });
  return best;
}

}  // namespace ym::engine
