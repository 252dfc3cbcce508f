#include "papers/spot/sets.h"

#include <fmt/format.h>

#include <utility>

#include "papers/spot/traces.h"

namespace ym::sim::spot {
namespace {

// Zones that were recorded side by side. Recordings of the same set name are parts of one set.
struct Recording {
  std::string set;
  std::int64_t work_hours = 48;
  std::string folder;
  std::vector<std::string> zones{};
  Gang gang{};
  std::size_t samples_per_tick = 1;
};

std::vector<Recording> recordings() {
  std::vector<Recording> all;
  for (const std::string type : {"k80_1", "k80_8", "v100_1", "v100_8"})
    all.push_back({.set = "2022",
                   .folder = "availability/1-node/aws-10-26-2022",
                   .zones = {"us-west-2a_" + type, "us-west-2b_" + type}});
  all.push_back({.set = "2023-04-22 V100",
                 .work_hours = 24,
                 .folder = "preemption/1-node/aws-04-22-2023",
                 .zones = {"us-east-1c_v100_1", "us-east-1f_v100_1", "us-west-2b_v100_1", "us-west-2c_v100_1"},
                 .samples_per_tick = 10});
  all.push_back({.set = "2023-04-19 CPU",
                 .work_hours = 24,
                 .folder = "preemption/1-node/aws-04-19-2023",
                 .zones = {"us-east-1b_intel_64", "us-east-1c_intel_64", "us-east-1d_intel_64"},
                 .samples_per_tick = 10});
  all.push_back({.set = "4 of 4 nodes",
                 .folder = "preemption/4-node/aws-08-03-2023",
                 .zones = {"us-east-1f_v100_1", "us-east-2a_v100_1", "us-west-2c_v100_1"},
                 .gang = {.nodes = 4, .most = 4}});
  for (const int nodes : {4, 8, 16})
    all.push_back({.set = std::to_string(nodes) + " of 16 nodes",
                   .folder = "availability/16-node/aws-08-27-2023",
                   .zones = {"us-east-2b_v100_1", "us-west-2a_v100_1", "us-west-2c_v100_1"},
                   .gang = {.nodes = nodes, .most = 16}});
  return all;
}

Result<std::vector<Trace>> read_zones(const std::string& folder, const Recording& recording) {
  std::vector<Trace> zones;
  for (const std::string& zone : recording.zones) {
    const auto trace = read_trace(fmt::format("{}/{}/{}.json.gz", folder, recording.folder, zone));
    if (!trace) return std::unexpected(trace.error());
    zones.push_back(coarsened(*trace, recording.samples_per_tick));
  }
  return zones;
}

}  // namespace

Result<std::vector<MarketSet>> read_sets(const std::string& folder, ZonesOfMarket zones_of_market) {
  std::vector<MarketSet> sets;
  for (const Recording& recording : recordings()) {
    const auto zones = read_zones(folder, recording);
    if (!zones) return std::unexpected(zones.error());
    if (sets.empty() || sets.back().name != recording.set)
      sets.push_back({.name = recording.set, .work_ms = recording.work_hours * kHourMs, .markets = {}});
    std::vector<Market>& markets = sets.back().markets;
    if (zones_of_market == ZonesOfMarket::all)
      markets.push_back(market_of(recording.zones.front(), *zones, recording.gang));
    else
      for (const Trace& zone : *zones) markets.push_back(market_of(zone.name, {zone}, recording.gang));
  }
  return sets;
}

}  // namespace ym::sim::spot
