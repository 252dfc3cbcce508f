#include "engine/cycle/stock.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "engine/cycle/reserve.h"

namespace ym::engine {
namespace {

// Of a device the memory of which is not known there is enough.
Part whole_device(const Node& node) {
  Part whole{.milli = kMilli, .memory = Part::kUnknownMemory};
  for (const Device& device : node.devices)
    if (device.profile.empty() && device.memory_bytes > 0) whole.memory = std::min(whole.memory, device.memory_bytes);
  return whole;
}

std::int64_t devices_of(const Inventory& inventory, const Node& node, Index profile) {
  const std::string_view wanted = profile == kNone ? std::string_view() : inventory.profile_names[profile];
  return std::ranges::count(node.devices, wanted,
                            [](const Device& device) { return std::string_view(device.profile); });
}

bool is_large(const Inventory& inventory, const Node& node, const NodeNeed& need) {
  if (node.cpus < need.cpus || node.memory_bytes < need.memory) return false;
  if (need.shares()) return devices_of(inventory, node, kNone) > 0 && whole_device(node).covers(need.part);
  return need.devices == 0 || devices_of(inventory, node, need.profile) >= need.devices;
}

// A profile that nobody has ever asked for has no index, and is not counted.
void add_slice(const Inventory& inventory, std::map<Index, std::int64_t>& devices, const std::string& profile) {
  if (const Index index = inventory.profile_names.find(profile); index != kNone) devices[index] += 1;
}

// New nodes are alike: in one domain of each level of which they have the label, and in none of the others.
bool has_level(const Inventory& inventory, const Node& node, Index level) {
  return level == kNone || inventory.topology.is_whole_cluster(level) ||
         node.labels.contains(inventory.topology.name(level));
}

}  // namespace

Stock::Stock(const Cycle& cycle, Index flavor)
    : cycle_(cycle),
      inventory_(cycle.state.inventory),
      row_(*inventory_.elastic(flavor)),
      device_(whole_device(row_.elastic->node)) {
  for (const Pool& pool : inventory_.pools(flavor))
    for (const Index node : pool.nodes) {
      existing_ += inventory_.rows[node]->withheld.empty() ? 1 : 0;
      if (inventory_.in_service(node)) bins_.push_back(bin_of(node));
    }
}

Stock::Bin Stock::bin_of(Index node) const {
  Bin bin{.node = node, .cpus = inventory_.free_cpus(node), .memory = inventory_.free_memory(node), .open = {}};
  std::uint64_t left = inventory_.free_devices(node, When::now);
  bin.devices[kNone] = std::popcount(left & ~inventory_.slices[node]);
  for (left &= inventory_.slices[node]; left != 0; left &= left - 1) {
    const auto device = static_cast<std::size_t>(std::countr_zero(left));
    add_slice(inventory_, bin.devices, inventory_.rows[node]->devices[device].profile);
  }
  return bin;
}

Stock::Bin Stock::new_bin() const {
  const Node& node = row_.elastic->node;
  Bin bin{.node = kNone, .cpus = node.cpus, .memory = node.memory_bytes, .open = {}};
  for (const Device& device : node.devices)
    if (device.profile.empty()) bin.devices[kNone] += 1;
    else add_slice(inventory_, bin.devices, device.profile);
  return bin;
}

bool Stock::suits(const Inventory& inventory, const Flavor& row, const Shape& shape, const Flavors& flavors) {
  if (flavors.each().size() != 1 || shape.nodes > row.elastic->max_nodes) return false;
  Node node = row.elastic->node;
  node.cluster = row.cluster;
  const GangNeed need = shape.need();
  const auto suits_part = [&](const GangPart& part) {
    return inventory.rule(part.rule).admits(node) && is_large(inventory, node, part.task);
  };
  const bool fits = need.parts.empty() ? suits_part(need) : std::ranges::all_of(need.parts, suits_part);
  return fits && has_level(inventory, node, shape.levels.required) && has_level(inventory, node, shape.levels.slice);
}

bool Stock::take(Bin& bin, const NodeNeed& need) const {
  if (bin.cpus < need.cpus || bin.memory < need.memory) return false;
  if (need.shares()) {
    if (!bin.open.covers(need.part)) {
      if (bin.devices[kNone] == 0) return false;
      bin.devices[kNone] -= 1;
      bin.open = device_;
    }
    bin.open -= need.part;
  } else if (need.devices > 0) {
    if (bin.devices[need.profile] < need.devices) return false;
    bin.devices[need.profile] -= need.devices;
  }
  bin.cpus -= need.cpus;
  bin.memory -= need.memory;
  return true;
}

std::optional<Stock::Gift> Stock::find(Rank rank, const Flavors& flavors) const {
  const Shape& shape = cycle_.shape(rank);
  const Tenure tenure = tenure_of(cycle_, rank);
  // A job of one node has been told that none of those that are there will do; where new ones come to stand is known
  // of them alone.
  const bool old_ones_too =
      shape.nodes > 1 && shape.levels.required == kNone && shape.levels.slice == kNone && !flavors.is_mix();
  const GangNeed gang = shape.need();
  // What it keeps from those behind it, or is promised, is there for itself.
  const auto usable = [&](const Bin& bin, const NodeNeed& need) {
    if (bin.node == kNone) return true;
    return old_ones_too && inventory_.matches(gang.rule, bin.node) && cycle_.kept_nodes.keepers()[bin.node] >= rank &&
           inventory_.has_free(bin.node, need) &&
           !cycle_.reservations.in_way(bin.node, need, tenure, cycle_.order[rank].slot);
  };
  Gift gift;
  std::size_t next = 0;
  bool enough = !closed_;
  for_each_task(shape, static_cast<std::size_t>(shape.nodes), [&](std::size_t, const NodeNeed& need) {
    for (; enough && next < bins_.size(); ++next) {
      Bin bin = bins_[next];
      if (!usable(bin, need) || !take(bin, need)) continue;
      gift.waits = gift.waits || bin.node == kNone;
      gift.bins.emplace_back(next++, std::move(bin));
      return;
    }
    enough = enough && wanted_with(gift) < row_.elastic->max_nodes;
    if (!enough) return;
    Bin bin = new_bin();
    enough = take(bin, need);
    gift.waits = true;
    gift.bins.emplace_back(bins_.size() + static_cast<std::size_t>(gift.fresh++), std::move(bin));
  });
  return enough ? std::optional(std::move(gift)) : std::nullopt;
}

void Stock::give(Gift gift) {
  for (auto& [place, bin] : gift.bins) {
    if (place < bins_.size()) bins_[place] = std::move(bin);
    else bins_.push_back(std::move(bin));
  }
  made_ += gift.fresh;
  jobs_ += gift.waits ? 1 : 0;
}

}  // namespace ym::engine
