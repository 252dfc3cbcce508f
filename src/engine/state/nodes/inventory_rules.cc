// Which nodes a rule admits, and what flavors' rows say.
#include <algorithm>

#include "engine/state/nodes/inventory.h"

namespace ym::engine {
namespace {

// Simulated executors run nothing, so nothing runs outside of its image either.
bool runs_containers(const Cluster& row) { return row.executor == "kubernetes" || row.executor == "simulated"; }

}  // namespace

RuleIndex Inventory::acquire_rule(const NodeRule& rule) {
  const auto [index, fresh] = rules_.acquire(rule);
  if (!fresh) return index;
  matches_.grow_to(index);
  matches_[index].assign(rows.size() / 64 + 1, 0);
  for (const NodeIndex n : indices<NodeIndex>(rows.size()))
    if (rows[n] && admits(rule, *rows[n])) matches_[index][n.value / 64] |= std::uint64_t{1} << (n.value % 64);
  return index;
}

void Inventory::release_rule(RuleIndex rule) { rules_.release(rule); }

// Call this after the cluster changed.
void Inventory::renew_matches(const std::string& cluster_name) {
  for (const NodeIndex n : indices<NodeIndex>(rows.size()))
    if (rows[n] && rows[n]->cluster == cluster_name) copy_row(n);
}

bool Inventory::has_containers(const std::string& cluster_name) const {
  if (cluster_name.empty())
    return std::ranges::any_of(clusters_, [](const auto& entry) { return runs_containers(entry.second); });
  const auto row = clusters_.find(cluster_name);
  return row != clusters_.end() && runs_containers(row->second);
}

std::int64_t Inventory::price_micros_per_gpu_hour(FlavorIndex flavor) const {
  const auto it = flavors_.find(flavor_names[flavor]);
  return it == flavors_.end() ? 0 : it->second.price_micros_per_gpu_hour;
}

const Flavor* Inventory::elastic(FlavorIndex flavor) const {
  const auto it = flavors_.find(flavor_names[flavor]);
  return it == flavors_.end() || !it->second.elastic ? nullptr : &it->second;
}

}  // namespace ym::engine
