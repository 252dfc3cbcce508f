#include "control/commands/level_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ym {
namespace {

// All levels: labels of nodes, and levels that a topology names.
std::set<std::string> levels_of(const Tables& tables) {
  std::set<std::string> levels;
  for (const auto& [name, cluster] : tables.clusters) levels.insert(cluster.topology.begin(), cluster.topology.end());
  for (const auto& [name, node] : tables.nodes)
    for (const auto& [label, value] : node.labels) levels.insert(label);
  return levels;
}

}  // namespace

std::optional<std::string> level_problem(const Tables& tables, const std::string& level) {
  if (level.empty()) return std::nullopt;
  const auto is_label = [&](const auto& entry) { return entry.second.labels.contains(level); };
  const auto names = [&](const auto& entry) {
    return std::ranges::find(entry.second.topology, level) != entry.second.topology.end();
  };
  if (std::ranges::any_of(tables.clusters, names) || std::ranges::any_of(tables.nodes, is_label)) return std::nullopt;
  const auto there = levels_of(tables);
  if (there.empty()) return fmt::format("there is no level '{}': no node has a label", level);
  return fmt::format("there is no level '{}'; there are: {}", level, fmt::join(there, ", "));
}

}  // namespace ym
