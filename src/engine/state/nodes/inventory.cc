#include "engine/state/nodes/inventory.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/assert.h"
#include "model/flavor_mix.h"

namespace ym::engine {

NodeIndex Inventory::node(const std::string& name) {
  const NodeIndex n = node_names.intern(name);
  grow();
  return n;
}

void Inventory::grow() {
  const std::size_t size = node_names.size();
  if (rows.size() == size) return;
  rows.resize(size);
  for (auto* bits : {&devices, &healthy, &slices}) bits->resize(size);
  for (auto* amounts : {&cpus, &memory, &least_gpu_memory}) amounts->resize(size);
  for (auto* taken : {&used, &leaving, &held}) taken->grow(size);
  for (auto& free : free_) {
    free.devices.resize(size);
    free.cpus.resize(size);
    free.memory.resize(size);
  }
  cluster.resize(size, kNone);
  flavor_of.resize(size, kNone);
  up.resize(size);
  shared_.resize(size);
  plain_.resize(size, 1);
  for (auto& bits : matches_) bits.resize(size / 64 + 1);
}

bool Inventory::set(const Node& node_row) {
  ++changes_;
  YM_ASSERT(node_row.devices.size() <= kMaxDevicesPerNode);
  const NodeIndex n = node(node_row.name);
  const ClusterIndex cluster_now = cluster_names.intern(node_row.cluster);
  cluster_up_.resize(cluster_names.size());
  const FlavorIndex flavor_now = flavor_for(node_row);
  const bool other_devices =
      !rows[n] || !std::ranges::equal(rows[n]->devices, node_row.devices, {}, &Device::id, &Device::id);
  const bool moves = !rows[n] || cluster[n] != cluster_now || flavor_of[n] != flavor_now;
  if (moves) leave_pool(n);
  rows[n] = node_row;
  cluster[n] = cluster_now;
  flavor_of[n] = flavor_now;
  copy_row(n);
  if (moves) join_pool(n);
  return other_devices;
}

void Inventory::copy_row(NodeIndex n) {
  const auto& row = rows[n];
  devices[n] = healthy[n] = slices[n] = 0;
  least_gpu_memory[n] = Part::kUnknownMemory;
  cpus[n] = row ? row->cpus : 0;
  memory[n] = row ? row->memory_bytes : 0;
  up[n] = row && row->in_service();
  for (const DeviceIndex i : indices<DeviceIndex>(row ? row->devices.size() : 0)) {
    const Device& device = row->devices[i.value];
    devices[n] |= device_bit(i);
    if (device.usable()) healthy[n] |= device_bit(i);
    if (device.profile.empty()) least_gpu_memory[n] = std::min(least_gpu_memory[n], all_of(n, i).memory);
    else slices[n] |= device_bit(i);
  }
  plain_[n] = slices[n] == 0 && !is_shared(n);
  renew_free(n);
  topology.follow(clusters_, n, row ? &*row : nullptr);
  const std::uint64_t bit = std::uint64_t{1} << (n.value % 64);
  for (const RuleIndex rule : indices<RuleIndex>(rules_.size())) {
    auto& word = matches_[rule][n.value / 64];
    word = row && rules_.in_use(rule) && admits(rules_[rule], *row) ? word | bit : word & ~bit;
  }
}

void Inventory::remove_node(const std::string& name) {
  ++changes_;
  const NodeIndex n = node(name);
  leave_pool(n);
  rows[n].reset();
  cluster[n] = kNone;
  flavor_of[n] = kNone;
  clear_devices(n);
  copy_row(n);
}

void Inventory::forget_node(NodeIndex n) {
  ++changes_;
  YM_ASSERT(!rows[n] && used.nothing_of(n) && held.nothing_of(n));
  node_names.release(n);
}

void Inventory::set(const Cluster& row) {
  ++changes_;
  const ClusterIndex c = cluster_names.intern(row.name);
  cluster_up_.resize(cluster_names.size());
  cluster_up_[c] = row.available;
  Cluster& known = clusters_[row.name];
  const bool other_levels = known.topology != row.topology;
  const bool other_executor = known.executor != row.executor;
  known = row;
  if (other_executor) renew_matches(row.name);
  if (other_levels) topology.follow(clusters_, row.name, rows);
}

void Inventory::remove_cluster(const std::string& name) {
  ++changes_;
  if (const ClusterIndex c = cluster_names.find(name); c != kNone) cluster_up_[c] = false;
  clusters_.erase(name);
  renew_matches(name);
  topology.follow(clusters_, name, rows);
}

void Inventory::set(const Flavor& row) {
  ++changes_;
  flavor_names.intern(row.name);
  flavors_.insert_or_assign(row.name, row);
  regroup();
}

void Inventory::remove_flavor(const std::string& name) {
  ++changes_;
  flavors_.erase(name);
  regroup();
}

// This changes no machine.
void Inventory::want(const std::string& flavor, std::int64_t nodes, Instant time) {
  set_wanted(flavors_.at(flavor), nodes, time);
}

FlavorIndex Inventory::flavor_for(const Node& row) {
  if (flavors_.empty()) return flavor_names.intern(kDefaultFlavor);
  const auto first = std::ranges::find_if(flavors_, [&](const auto& entry) { return entry.second.matches(row); });
  return first == flavors_.end() ? FlavorIndex{} : flavor_names.intern(first->first);
}

void Inventory::regroup() {
  pools_.clear();
  for (const NodeIndex n : indices<NodeIndex>(rows.size())) {
    if (!rows[n]) continue;
    flavor_of[n] = flavor_for(*rows[n]);
    join_pool(n);
  }
}

void Inventory::join_pool(NodeIndex n) {
  if (flavor_of[n] == kNone) return;
  pools_.grow_to(flavor_of[n]);
  auto& pools = pools_[flavor_of[n]].raw();
  const auto name_of = [&](const Pool& pool) -> const std::string& { return cluster_names[pool.cluster]; };
  auto pool = std::ranges::lower_bound(pools, cluster_names[cluster[n]], {}, name_of);
  if (pool == pools.end() || pool->cluster != cluster[n])
    pool = pools.insert(pool, {.cluster = cluster[n], .nodes = {}});
  const auto node_name = [&](NodeIndex other) -> const std::string& { return node_names[other]; };
  auto& nodes = pool->nodes.raw();
  nodes.insert(std::ranges::lower_bound(nodes, node_names[n], {}, node_name), n);
}

void Inventory::leave_pool(NodeIndex n) {
  if (flavor_of[n] == kNone) return;
  for (auto& pool : pools_[flavor_of[n]])
    if (pool.cluster == cluster[n]) std::erase(pool.nodes.raw(), n);
}

std::vector<FlavorIndex> Inventory::flavors() const {
  std::vector<const Flavor*> rows_by_rank;
  for (const auto& [name, row] : flavors_) rows_by_rank.push_back(&row);
  std::ranges::sort(rows_by_rank, {}, [](const Flavor* row) { return std::tie(row->rank, row->name); });
  std::vector<FlavorIndex> all;
  for (const Flavor* row : rows_by_rank) all.push_back(flavor_names.find(row->name));
  if (all.empty()) all.push_back(flavor_names.find(kDefaultFlavor));
  return all;
}

Flavors Inventory::intern_flavors(const std::string& name) {
  std::vector<FlavorIndex> parts;
  for (const auto part : split_flavors(name)) parts.push_back(flavor_names.intern(part));
  return parts.size() == 1 ? Flavors(parts.front()) : Flavors::of_parts(parts);
}

Flavors Inventory::find_flavors(const std::string& name) const {
  std::vector<FlavorIndex> parts;
  for (const auto part : split_flavors(name)) parts.push_back(flavor_names.find(part));
  if (parts.size() > kMostGroups) return {};
  return parts.size() == 1 ? Flavors(parts.front()) : Flavors::of_parts(parts);
}

std::string Inventory::name_of(const Flavors& flavors) const {
  std::vector<std::string> parts;
  for (const PartIndex part : indices<PartIndex>(flavors.parts())) parts.push_back(flavor_names[flavors.of(part)]);
  return join_flavors(parts);
}

bool Inventory::is_spot(FlavorIndex flavor) const {
  const auto row = flavors_.find(flavor_names[flavor]);
  return row != flavors_.end() && row->second.spot;
}

// Whether their machines have the same GPUs, as far as flavors tell.
bool Inventory::may_anchor(FlavorIndex flavor, FlavorIndex others) const {
  const auto own = flavors_.find(flavor_names[flavor]), beside = flavors_.find(flavor_names[others]);
  return own != flavors_.end() && beside != flavors_.end() && !own->second.spot &&
         own->second.gpu_type == beside->second.gpu_type;
}

void Inventory::renew_topology() {
  topology.renew(
      {.clusters = clusters_, .node_names = node_names, .rows = rows, .cluster = cluster, .flavor_of = flavor_of},
      changes_);
}

const Pool* Inventory::pool_beside(const Pool& pool, FlavorIndex flavor, LevelIndex level) const {
  const auto others = pools(flavor, level);
  const auto place_of = [&](const Pool& one) {
    const DomainIndex domain =
        level == kNone || one.nodes.empty() ? DomainIndex{} : topology.domain(level, one.nodes[PlaceInPool{0}]);
    return std::pair(one.cluster, domain);
  };
  const auto found = std::ranges::find(others, place_of(pool), place_of);
  return found == others.end() ? nullptr : &*found;
}

IndexedSpan<PoolIndex, Pool> Inventory::pools(FlavorIndex flavor) const {
  if (!pools_.has(flavor)) return {};
  return pools_[flavor];
}

}  // namespace ym::engine
