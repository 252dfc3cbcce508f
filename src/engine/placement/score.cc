#include "engine/placement/score.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/assert.h"
#include "engine/placement/pressure.h"

namespace ym::engine {
namespace {

// By profile, if the policy looks at the existing jobs.
std::vector<Fragmentation> fragmentations(Scoring scoring, const Workload& workload,
                                          const Names<ProfileIndex>& profile_names) {
  std::vector<Fragmentation> all;
  if (scoring != Scoring::fgd) return all;
  std::map<ProfileIndex, std::vector<TaskType>> types;
  for (const TaskType& type : workload.types(profile_names)) types[type.need.profile].push_back(type);
  for (auto& [profile, own] : types) all.emplace_back(profile, std::move(own));
  return all;
}

// By node.
IndexedVector<NodeIndex, std::int64_t> gpu_costs(Scoring scoring, const Workload& workload,
                                                 const Inventory& inventory) {
  return scoring == Scoring::fgd ? pressure_costs(workload, inventory) : IndexedVector<NodeIndex, std::int64_t>();
}

// Without the free parts of shared devices.
NodeRoom free_of(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) {
  return {.devices = std::popcount(inventory.free_devices(node, need, when)),
          .cpus = inventory.free_cpus(node, when),
          .memory = inventory.free_memory(node, when)};
}

NodeRoom size_of(const Inventory& inventory, const NodeNeed& need, NodeIndex node) {
  return {.devices = std::popcount(inventory.of_profile(node, need.profile)),
          .cpus = inventory.cpus[node],
          .memory = inventory.memory[node]};
}

NodeRoom less(const NodeRoom& room, const NodeNeed& need) {
  return {.devices = room.devices - need.devices, .cpus = room.cpus - need.cpus, .memory = room.memory - need.memory};
}

// Free capacity of a node with shared devices, before and after one more task.
class SharedRoom {
 public:
  SharedRoom(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when)
      : whole_(free_of(inventory, need, node, when)) {
    for (std::uint64_t left = inventory.shared_devices(node, when); left != 0; left &= left - 1) {
      const DeviceIndex device = first_device(left);
      all_[size_++] = {.device = device, .free = inventory.free_part(node, device, when)};
    }
  }

  std::span<const SharedDevice> shared() const { return std::span(all_).first(size_); }
  NodeRoom before() const { return with(whole_, size_); }

  // After a task that takes whole devices, or none.
  NodeRoom after(const NodeNeed& need) const { return with(less(whole_, need), size_); }

  // Calls `look` with the capacity left after the task has its part of the shared device there.
  template <class Look>
  void try_shared(std::size_t i, const NodeNeed& need, Look look) {
    all_[i].free -= need.part;
    look(with(less(whole_, need), size_));
    all_[i].free += need.part;
  }
  // The same for an unused device.
  template <class Look>
  void try_other(SharedDevice one, const NodeNeed& need, Look look) {
    one.free -= need.part;
    all_[size_] = one;
    NodeRoom left = less(whole_, need);
    left.devices -= 1;
    look(with(left, size_ + 1));
  }

 private:
  NodeRoom with(NodeRoom room, std::size_t size) const {
    room.shared = std::span(all_).first(size);
    for (const SharedDevice& one : room.shared) room.shared_milli += one.free.milli;
    return room;
  }

  NodeRoom whole_;
  std::array<SharedDevice, kMaxDevicesPerNode> all_;
  std::size_t size_ = 0;
};

}  // namespace

Scorer::Scorer(Scoring scoring, const Workload& workload, const Inventory& inventory)
    : scoring_(scoring),
      gpu_costs_(gpu_costs(scoring, workload, inventory)),
      fragmentations_(fragmentations(scoring_, workload, inventory.profile_names)) {
  const bool weighs_whole = std::ranges::any_of(fragmentations_, &Fragmentation::wants_whole);
  keeps_whole_ = scoring_ != Scoring::spread && !weighs_whole;
}

std::int64_t Scorer::fragmentation(NodeIndex node, ProfileIndex profile, const NodeRoom& size, const NodeRoom& free,
                                   const NodeRoom& left) const {
  for (const Fragmentation& one : fragmentations_)
    if (one.profile() == profile) return one.score(size, free, left, gpu_cost(node, profile));
  return 0;
}

// Computes only what the policy looks at.
template <class Size, class Left>
NodeCost Scorer::cost_of(NodeIndex node, ProfileIndex profile, Size size, const NodeRoom& free, Left left) const {
  NodeCost cost = scoring_ == Scoring::spread ? spread_cost(size(), free) : best_fit_cost(free);
  if (scoring_ == Scoring::fgd) {
    const NodeRoom whole = size();
    cost.size = whole.devices;
    cost.score = fragmentation(node, profile, whole, free, left());
  }
  if (scoring_ == Scoring::pack) cost.score = pack_score(size(), free);
  return cost;
}

struct Scorer::Sharing {
  NodeCost cost;
  Part free;  // of the device, before
  DeviceIndex device;

  auto rank(Scoring scoring) const {
    return std::tuple(cost, scoring == Scoring::spread ? -free.milli : free.milli, free.memory, device);
  }
};

Scorer::Sharing Scorer::share(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const {
  const SharedRoom now(inventory, need, node, when);
  SharedRoom room = now;
  const NodeRoom free = now.before();
  const auto size = [&] { return size_of(inventory, need, node); };
  std::optional<Sharing> best;
  const auto consider = [&](const SharedDevice& one, bool breaks_up, const NodeRoom& left) {
    Sharing sharing{
        .cost = cost_of(node, need.profile, size, free, [&] { return left; }), .free = one.free, .device = one.device};
    sharing.cost.wasted = breaks_up && keeps_whole_;
    if (!best || sharing.rank(scoring_) < best->rank(scoring_)) best = sharing;
  };
  for (std::size_t i = 0; i < room.shared().size(); ++i) {
    const SharedDevice one = room.shared()[i];
    if (one.free.covers(need.part)) room.try_shared(i, need, [&](const NodeRoom& left) { consider(one, false, left); });
  }
  // Unused devices are alike if their memory is.
  std::optional<Part> last;
  for (std::uint64_t left = inventory.free_devices(node, need, when); left != 0; left &= left - 1) {
    const DeviceIndex device = first_device(left);
    const SharedDevice one{.device = device, .free = inventory.free_part(node, device, when)};
    if (last == one.free || !one.free.covers(need.part)) continue;
    last = one.free;
    room.try_other(one, need, [&](const NodeRoom& after) { consider(one, true, after); });
  }
  YM_ASSERT(best);
  return *best;
}

NodeCost Scorer::cost(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const {
  if (need.shares()) return share(inventory, need, node, when).cost;
  const auto size = [&] { return size_of(inventory, need, node); };
  NodeCost cost;
  if (inventory.is_shared(node) && need.profile == kNone) {
    const SharedRoom room(inventory, need, node, when);
    cost = cost_of(node, need.profile, size, room.before(), [&] { return room.after(need); });
  } else {
    const NodeRoom free = free_of(inventory, need, node, when);
    cost = cost_of(node, need.profile, size, free, [&] { return less(free, need); });
  }
  cost.wasted = !need.asks_for_devices() && inventory.devices[node] != 0;
  return cost;
}

DeviceIndex Scorer::device_to_share(const Inventory& inventory, const NodeNeed& need, NodeIndex node, When when) const {
  return share(inventory, need, node, when).device;
}

}  // namespace ym::engine
