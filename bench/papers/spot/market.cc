#include "papers/spot/market.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace ym::sim::spot {

View Market::view(std::size_t tick) const {
  View view{.tick_ms = tick_ms, .gang = gang, .nodes = {}};
  view.nodes.reserve(zones());
  for (const auto& zone : nodes) view.nodes.push_back(zone[tick]);
  return view;
}

Trace coarsened(const Trace& fine, std::size_t ticks) {
  YM_ASSERT(ticks > 0);
  Trace coarse{.name = fine.name, .tick_ms = fine.tick_ms * static_cast<std::int64_t>(ticks), .nodes = {}};
  for (auto left = fine.nodes.begin(); std::cmp_less_equal(ticks, fine.nodes.end() - left);) {
    const auto end = left + static_cast<std::ptrdiff_t>(ticks);
    coarse.nodes.push_back(*std::min_element(left, end));
    left = end;
  }
  return coarse;
}

Market market_of(std::string name, const std::vector<Trace>& zones, const Gang& gang) {
  YM_ASSERT(!zones.empty());
  Market market{.name = std::move(name), .tick_ms = zones.front().tick_ms, .gang = gang, .nodes = {}};
  std::size_t ticks = zones.front().nodes.size();
  for (const Trace& zone : zones) {
    YM_ASSERT(zone.tick_ms == market.tick_ms);
    ticks = std::min(ticks, zone.nodes.size());
  }
  for (const Trace& zone : zones)
    market.nodes.emplace_back(zone.nodes.begin(), zone.nodes.begin() + static_cast<std::ptrdiff_t>(ticks));
  return market;
}

Market one_zone(const Market& market, std::size_t zone) {
  return {.name = market.name + "/" + std::to_string(zone),
          .tick_ms = market.tick_ms,
          .gang = market.gang,
          .nodes = {market.nodes[zone]}};
}

}  // namespace ym::sim::spot
