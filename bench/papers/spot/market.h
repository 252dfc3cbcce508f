// Spot capacity over time: the nodes that could be had in each zone, tick by tick.
//
// A tick is one sample of a recording: what it says holds until the next. Zones of a market lie side by side in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ym::sim::spot {

inline constexpr std::int64_t kHourMs = 3'600'000;

// What was recorded of one zone.
struct Trace {
  std::string name;
  std::int64_t tick_ms = 0;
  std::vector<int> nodes;  // by tick
};

// The nodes of a job, all of which have to lie in one zone. Preconditions: 1 <= nodes <= most.
struct Gang {
  int nodes = 1;
  int most = 1;  // that a zone can be asked for; samples say no more than that
  bool operator==(const Gang&) const = default;
};

// What is seen of a market in one tick.
struct View {
  std::int64_t tick_ms = 0;
  Gang gang;
  std::vector<int> nodes;  // by zone

  std::size_t zones() const { return nodes.size(); }
  bool up(std::size_t zone) const { return nodes[zone] >= gang.nodes; }
};

struct Market {
  std::string name;
  std::int64_t tick_ms = 0;
  Gang gang;
  std::vector<std::vector<int>> nodes;  // by zone, by tick; at least one zone, all of one length

  std::size_t zones() const { return nodes.size(); }
  std::size_t ticks() const { return nodes.front().size(); }
  bool up(std::size_t zone, std::size_t tick) const { return nodes[zone][tick] >= gang.nodes; }
  View view(std::size_t tick) const;
};

// Ticks of `ticks` former ones: what could be had in all of these. A rest that fills none is left out.
Trace coarsened(const Trace& fine, std::size_t ticks);

// As long as the shortest trace. Preconditions: at least one trace, ticks of one length.
Market market_of(std::string name, const std::vector<Trace>& zones, const Gang& gang);

Market one_zone(const Market& market, std::size_t zone);

}  // namespace ym::sim::spot
