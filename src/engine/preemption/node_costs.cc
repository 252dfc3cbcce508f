#include "engine/preemption/node_costs.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace ym::engine {
namespace {

// A candidate's part of a node.
struct NodeShare {
  NodeIndex node = kNone;
  CandidateIndex candidate = kNone;
  TaskIndex task = kNone;
  std::uint64_t devices = 0;
};

// The cost of clearing a node. Admissions of this cycle cost nothing, but are not revoked in vain.
struct Cost {
  std::size_t in_target = 0;
  std::int32_t highest = -1;
  std::size_t non_borrowers = 0;
  __int128 lost_gpu_ms = 0, lost_cpu_ms = 0;
  std::size_t count = 0;
  std::int64_t youngest = 0;
  std::size_t taken_back = 0;
  auto operator<=>(const Cost&) const = default;

  void add(const Candidate& one, std::size_t nodes) {
    const Running& running = *one.running;
    if (running.tentative) {
      taken_back += 1;
      return;
    }
    const auto shared_by = static_cast<std::int64_t>(std::clamp<std::size_t>(running.place->tasks.size(), 1, nodes));
    in_target += one.in_target;
    highest = std::max(highest, running.row->priority);
    non_borrowers += !one.borrows;
    lost_gpu_ms += running.loss.gpu_ms / shared_by;
    lost_cpu_ms += running.loss.cpu_ms / shared_by;
    count += 1;
    youngest = std::min(youngest, -running.admitted_at.ms);
  }
};

struct PricedNode {
  Cost cost;
  PlaceInPool place = kNone;
  std::size_t first = 0, leaving = 0;  // range of the leaving jobs
};

// A node that candidates leave, one after the other.
class Emptied {
 public:
  Emptied(const Inventory& inventory, const NodeNeed& need) : inventory_(inventory), need_(need) {}

  // No job has left yet.
  void begin(NodeIndex node) {
    usable_ = inventory_.healthy[node] & inventory_.of_profile(node, need_.profile);
    free_ = inventory_.free_devices(node, When::later);
    cpus_ = inventory_.free_cpus(node, When::later);
    memory_ = inventory_.free_memory(node, When::later);
    parts_.clear();
    if (!inventory_.is_shared(node) && !need_.shares()) return;
    for (const DeviceIndex i : indices<DeviceIndex>(inventory_.rows[node]->devices.size()))
      parts_.push_back({.all = inventory_.all_of(node, i), .free = inventory_.free_part(node, i, When::later)});
  }

  // `need`: what the leaving job needs of the node.
  void leave(const NodeShare& share, const NodeNeed& need) { change(share, need, 1); }
  void come_back(const NodeShare& share, const NodeNeed& need) { change(share, need, -1); }

  bool suffices() const {
    return (need_.cpus == 0 || cpus_ >= need_.cpus) && (need_.memory == 0 || memory_ >= need_.memory) && has_devices();
  }

 private:
  // State of a device, for nodes with shared ones.
  struct Device {
    Part all, free;
  };

  bool has_devices() const {
    if (!need_.shares()) return std::popcount(free_ & usable_) >= need_.devices;
    for (const DeviceIndex i : parts_.indices())
      if ((usable_ & device_bit(i)) != 0 && parts_[i].free.covers(need_.part)) return true;
    return false;
  }

  void change(const NodeShare& share, const NodeNeed& need, std::int64_t by) {
    cpus_ += by * need.cpus;
    memory_ += by * need.memory;
    const bool has_all = !need.shares();
    if (has_all) free_ = by > 0 ? free_ | share.devices : free_ & ~share.devices;
    if (parts_.empty()) return;
    for (std::uint64_t left = share.devices; left != 0; left &= left - 1) {
      const DeviceIndex at = first_device(left);
      Device& device = parts_[at];
      const Part& part = has_all ? device.all : need.part;
      if (by > 0) device.free += part;
      else device.free -= part;
      free_ = device.free.milli == kMilli ? free_ | device_bit(at) : free_ & ~device_bit(at);
    }
  }

  const Inventory& inventory_;
  const NodeNeed& need_;
  std::uint64_t usable_ = 0, free_ = 0;
  std::int64_t cpus_ = 0, memory_ = 0;
  IndexedVector<DeviceIndex, Device> parts_;
};

// Adds the candidates that have to leave the node. False: even all of them are not enough.
bool add_leavers(Emptied& room, NodeIndex node, std::span<const NodeShare> shares, const CandidateList& candidates,
                 std::vector<CandidateIndex>& leavers) {
  room.begin(node);
  const auto need_of = [&](std::size_t share) {
    return engine::need_of(*candidates[shares[share].candidate].running->place, shares[share].task);
  };
  std::size_t gone = 0;
  for (; gone < shares.size() && !room.suffices(); ++gone) room.leave(shares[gone], need_of(gone));
  if (!room.suffices()) return false;
  while (gone-- > 0) {
    room.come_back(shares[gone], need_of(gone));
    if (room.suffices()) continue;
    room.leave(shares[gone], need_of(gone));
    leavers.push_back(shares[gone].candidate);
  }
  return true;
}

// The candidates' parts of each node, in their order.
class Shares {
 public:
  Shares(std::size_t nodes, const CandidateList& candidates) : first_(nodes + 1) {
    std::vector<NodeShare> by_candidate;
    by_candidate.reserve(candidates.size());
    for (const CandidateIndex candidate : candidates.indices()) {
      const auto& tasks = candidates[candidate].running->place->tasks;
      for (const TaskIndex task : tasks.indices()) {
        const NodeIndex node = tasks[task].node;
        first_[node + 1] += 1;
        by_candidate.push_back({.node = node, .candidate = candidate, .task = task, .devices = tasks[task].bits});
      }
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    all_.resize(by_candidate.size());
    auto next = first_;
    for (const NodeShare& share : by_candidate) all_[next[share.node]++] = share;
  }

  std::span<const NodeShare> of(NodeIndex node) const {
    return std::span(all_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  IndexedVector<NodeIndex, std::size_t> first_;  // index of its first part in `all_`
  std::vector<NodeShare> all_;
};

Cost cost_of(std::span<const CandidateIndex> leaving, const CandidateList& candidates, std::size_t nodes) {
  Cost cost;
  for (const CandidateIndex one : leaving) cost.add(candidates[one], nodes);
  return cost;
}

// The clearings point into the arrays that `clearings` keeps.
void put_in_order(std::vector<PricedNode> priced, Clearings& clearings) {
  std::ranges::sort(priced, {}, [](const PricedNode& one) { return std::pair(one.cost, one.place); });
  clearings.cheapest_first.reserve(priced.size());
  for (const PricedNode& one : priced)
    clearings.cheapest_first.push_back({std::span(clearings.leaving).subspan(one.first, one.leaving)});
}

}  // namespace

Clearings cheapest_to_clear(const Room& room, const Pool& pool, const CandidateList& candidates) {
  const Inventory& inventory = room.inventory();
  const GangNeed need = room.claimant().shape.need();
  const Shares shares(inventory.rows.size(), candidates);
  Emptied emptied(inventory, need.task);
  Clearings found;
  std::vector<PricedNode> priced;
  for (const PlaceInPool place : pool.nodes.indices()) {
    const NodeIndex node = pool.nodes[place];
    if (!inventory.matches(need.rule, node) || !inventory.can_serve(node, need.task) || room.is_closed(node)) continue;
    const std::size_t first = found.leaving.size();
    if (!add_leavers(emptied, node, shares.of(node), candidates, found.leaving)) continue;
    const auto leaving = std::span(found.leaving).subspan(first);
    priced.push_back(
        {.cost = cost_of(leaving, candidates, need.nodes), .place = place, .first = first, .leaving = leaving.size()});
  }
  put_in_order(std::move(priced), found);
  return found;
}

}  // namespace ym::engine
