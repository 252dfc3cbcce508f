// The recordings that figures are given of, put together as markets: single zones, or the zones of a recording side by
// side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/spot/market.h"

namespace ym::sim::spot {

// Markets of one kind. Figures of a set are averages over its markets.
struct MarketSet {
  std::string name;
  std::int64_t work_ms = 0;  // of the jobs that are tried on it, so that they fit into its length
  std::vector<Market> markets;
};

enum class ZonesOfMarket { one, all };

// In a fixed order, the set of 2022 first. `folder`: as in skypilot-org/spot-traces, with availability/ and
// preemption/. Zones of 2023 lie in different regions; they are taken to have begun at the same time. Those with
// samples twice a minute are read in ticks of ten samples. Errors: those of read_trace().
Result<std::vector<MarketSet>> read_sets(const std::string& folder, ZonesOfMarket zones);

}  // namespace ym::sim::spot
