#include "papers/spot/observations.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::sim::spot {

void Observations::see(const View& view) {
  YM_ASSERT(view.zones() == zones() && zones() > 0);
  const Level best = level_of(std::ranges::max(view.nodes), view.gang);
  for (std::size_t zone = 0; zone < zones(); ++zone) {
    SpellWatch& watch = zones_[zone];
    if (watch.known() && watch.level() >= Level::tight && !view.up(zone)) {
      ++losses_;
      if (best >= Level::tight) ++moves_;
    }
    watch.see(level_of(view.nodes[zone], view.gang), view.tick_ms);
  }
  best_.see(best, view.tick_ms);
}

Observations observe(const Market& market, std::size_t first, std::size_t end) {
  Observations observations(market.zones());
  for (std::size_t tick = first; tick < end; ++tick) observations.see(market.view(tick));
  return observations;
}

}  // namespace ym::sim::spot
