#include "engine/cycle/new_nodes/new_node_capacity.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "engine/cycle/reserve.h"

namespace ym::engine {
namespace {

// A device with unknown memory counts as large enough.
Part whole_device(const Node& node) {
  Part whole{.milli = kMilli, .memory = Part::kUnknownMemory};
  for (const Device& device : node.devices)
    if (device.profile.empty() && device.memory_bytes > 0) whole.memory = std::min(whole.memory, device.memory_bytes);
  return whole;
}

std::int64_t devices_of(const Inventory& inventory, const Node& node, ProfileIndex profile) {
  const std::string_view wanted = profile == kNone ? std::string_view() : inventory.profile_names[profile];
  return std::ranges::count(node.devices, wanted,
                            [](const Device& device) { return std::string_view(device.profile); });
}

bool is_large(const Inventory& inventory, const Node& node, const NodeNeed& need) {
  if (node.cpus < need.cpus || node.memory_bytes < need.memory) return false;
  if (need.shares()) return devices_of(inventory, node, kNone) > 0 && whole_device(node).covers(need.part);
  return need.devices == 0 || devices_of(inventory, node, need.profile) >= need.devices;
}

}  // namespace

std::int64_t NewNodeCapacity::Devices::of(ProfileIndex profile) const {
  if (profile == kNone) return whole_;
  const auto slices = std::ranges::find(slices_, profile, [](const auto& one) { return one.first; });
  return slices == slices_.end() ? 0 : slices->second;
}

void NewNodeCapacity::Devices::add(ProfileIndex profile, std::int64_t count) {
  if (profile == kNone) {
    whole_ += count;
    return;
  }
  auto slices = std::ranges::find(slices_, profile, [](const auto& one) { return one.first; });
  if (slices == slices_.end()) slices = slices_.insert(slices, {profile, 0});
  slices->second += count;
}

NewNodeCapacity::NewNodeCapacity(const Inputs& in, const PendingEntries& pending, const Tried& tried,
                                 FlavorIndex flavor)
    : in_(in),
      pending_(pending),
      tried_(tried),
      inventory_(in.state.inventory),
      row_(*inventory_.elastic(flavor)),
      device_(whole_device(row_.elastic->node)),
      beside_(inventory_, flavor) {
  for (const Pool& pool : inventory_.pools(flavor))
    for (const NodeIndex node : pool.nodes) {
      existing_ += inventory_.rows[node]->is_there() ? 1 : 0;
      if (inventory_.in_service(node)) bins_.push_back(bin_of(node));
    }
  first_new_ = bins_.end_index();
}

NewNodeCapacity::Bin NewNodeCapacity::bin_of(NodeIndex node) const {
  Bin bin{.node = node, .cpus = inventory_.free_cpus(node), .memory = inventory_.free_memory(node), .open = {}};
  std::uint64_t left = inventory_.free_devices(node, When::now);
  bin.devices.add(kNone, std::popcount(left & ~inventory_.slices[node]));
  for (left &= inventory_.slices[node]; left != 0; left &= left - 1) {
    add_slice(bin, inventory_.rows[node]->devices[first_device(left).value].profile);
  }
  return bin;
}

// A profile that no job has ever asked for has no index, and is not counted.
void NewNodeCapacity::add_slice(Bin& bin, const std::string& profile) const {
  if (const ProfileIndex index = inventory_.profile_names.find(profile); index != kNone) bin.devices.add(index, 1);
}

NewNodeCapacity::Bin NewNodeCapacity::new_bin() const {
  const Node& node = row_.elastic->node;
  Bin bin{.node = kNone, .cpus = node.cpus, .memory = node.memory_bytes, .open = {}};
  for (const Device& device : node.devices)
    if (device.profile.empty()) bin.devices.add(kNone, 1);
    else add_slice(bin, device.profile);
  return bin;
}

bool NewNodeCapacity::suits(const Inventory& inventory, const Flavor& row, const Shape& shape, const Flavors& flavors) {
  if (flavors.each().size() != 1 || shape.nodes > row.elastic->max_nodes) return false;
  Node node = row.elastic->node;
  node.cluster = row.cluster;
  const GangNeed need = shape.need();
  const auto suits_part = [&](const GangPart& part) {
    return inventory.admits(inventory.rule(part.rule), node) && is_large(inventory, node, part.task);
  };
  const bool fits = need.parts.empty() ? suits_part(need) : std::ranges::all_of(need.parts, suits_part);
  return fits && ScaleUpCandidates::have_domains(inventory, node, shape.levels);
}

bool NewNodeCapacity::has_room(const Bin& bin, const NodeNeed& need) {
  if (bin.cpus < need.cpus || bin.memory < need.memory) return false;
  if (need.shares() && bin.open.covers(need.part)) return true;
  const std::int64_t devices = need.shares() ? 1 : need.devices;
  return devices == 0 || bin.devices.of(need.shares() ? kNone : need.profile) >= devices;
}

// Precondition: it has room.
void NewNodeCapacity::take(Bin& bin, const NodeNeed& need) const {
  if (need.shares()) {
    if (!bin.open.covers(need.part)) {
      bin.devices.add(kNone, -1);
      bin.open = device_;
    }
    bin.open -= need.part;
  } else if (need.devices > 0) {
    bin.devices.add(need.profile, -need.devices);
  }
  bin.cpus -= need.cpus;
  bin.memory -= need.memory;
}

NewNodeCapacity::Gift NewNodeCapacity::find(Rank rank) {
  Gift gift{.bins = {}, .enough = !closed_};
  if (closed_) return gift;
  const Shape& shape = shape_of(in_, pending_, rank);
  const GangNeed gang = shape.need();
  const Seeker seeker{.rank = rank,
                      .slot = pending_.entry(rank).slot,
                      .walltime = walltime_of(in_, pending_, tried_, rank),
                      .levels = gang.levels};
  if (!shape.groups.empty()) {
    put_groups(gift, gang.parts, seeker);
    return gift;
  }
  std::size_t missing = gang.nodes;
  // A job of one node skips existing nodes: it has found no place on them.
  for (BinIndex bin = missing > 1 ? BinIndex{0} : first_new_; missing > 0 && bins_.has(bin); ++bin)
    missing -= put(gift, bin, gang, seeker) ? 1 : 0;
  put_on_new(gift, gang.task, missing);
  return gift;
}

// A task first takes a node that fewer groups could use. New nodes suit all groups. So an existing node, wherever it is
// by name, replaces a node that would have to be made.
void NewNodeCapacity::put_groups(Gift& gift, const IndexedVector<PartIndex, GangPart>& groups, const Seeker& seeker) {
  std::vector<std::pair<std::ptrdiff_t, BinIndex>> places;  // for how many groups it would do
  for (const BinIndex bin : bins_.indices()) {
    const auto would_do = [&](const GangPart& group) { return could_use(bins_[bin], group, seeker, gift); };
    if (const auto of = std::ranges::count_if(groups, would_do); of > 0) places.emplace_back(of, bin);
  }
  std::ranges::sort(places);
  for (const GangPart& group : groups) {
    std::size_t missing = group.nodes;
    std::erase_if(places, [&](const auto& one) {
      const bool is_taken = missing > 0 && put(gift, one.second, group, seeker);
      missing -= is_taken ? 1 : 0;
      return is_taken;
    });
    put_on_new(gift, group.task, missing);
  }
}

// Nodes that the gang itself keeps or has reserved count for it.
bool NewNodeCapacity::could_use(const Bin& bin, const GangPart& part, const Seeker& seeker, Gift& gift) {
  if (!has_room(bin, part.task)) return false;
  if (bin.node == kNone) return true;
  if (!inventory_.matches(part.rule, bin.node) || !beside_.is_near(bin.node, seeker.levels) ||
      tried_.kept_nodes.keepers()[bin.node] < seeker.rank || !inventory_.has_free(bin.node, part.task))
    return false;
  const bool is_in_way = tried_.reservations.in_way(bin.node, part.task, seeker.walltime, seeker.slot);
  gift.promised = gift.promised || is_in_way;
  return !is_in_way;
}

// Puts one task of the part into the bin, if it could use it.
bool NewNodeCapacity::put(Gift& gift, BinIndex place, const GangPart& part, const Seeker& seeker) {
  if (!could_use(bins_[place], part, seeker, gift)) return false;
  gift.waits = gift.waits || bins_[place].node == kNone;
  gift.bins.emplace_back(place, bins_[place]);
  take(gift.bins.back().second, part.task);
  return true;
}

void NewNodeCapacity::put_on_new(Gift& gift, const NodeNeed& need, std::size_t tasks) const {
  for (; gift.enough && tasks > 0; --tasks) {
    Bin bin = new_bin();
    gift.enough = wanted_with(gift) < row_.elastic->max_nodes && has_room(bin, need);
    if (!gift.enough) return;
    take(bin, need);
    gift.waits = true;
    gift.bins.emplace_back(BinIndex(std::ssize(bins_.raw()) + gift.tentative++), std::move(bin));
  }
}

void NewNodeCapacity::give(Gift gift) {
  for (auto& [place, bin] : gift.bins) {
    if (bins_.has(place)) bins_[place] = std::move(bin);
    else bins_.push_back(std::move(bin));
  }
  made_ += gift.tentative;
  jobs_ += gift.waits ? 1 : 0;
}

void NewNodeCapacity::close() {
  closed_ = true;
  made_ = std::max(made_, std::min(row_.wanted.nodes, row_.elastic->max_nodes) - existing_);
}

}  // namespace ym::engine
