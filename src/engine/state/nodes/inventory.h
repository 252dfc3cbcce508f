// Inventory: nodes as arrays, grouped into pools of one flavor and cluster.
//
// It follows configuration changes node by node. What is in use is stored apart from the machines. So a node that is
// removed, drained or loses a device keeps its charges, and still has them when it comes back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/state/flavors.h"
#include "engine/state/names.h"
#include "engine/state/nodes/levels.h"
#include "engine/state/nodes/node_need.h"
#include "engine/state/nodes/taken.h"
#include "model/cluster.h"

namespace ym::engine {

// What tasks that are alike need of the machines.
struct GangPart {
  RuleIndex rule = kNone;
  NodeNeed task;
  std::size_t nodes = 1;  // one task each
};

// What a gang needs of the machines.
struct GangNeed : GangPart {
  Levels levels{};
  // If the flavors may be named by part; in the order of its tasks.
  IndexedVector<PartIndex, GangPart> parts{};

  GangNeed of_part(PartIndex part) const { return {parts[part], levels, {}}; }
  // The part of a task. The last part may be larger than needed.
  PartIndex part_of(TaskIndex task) const {
    PartIndex part{0U};
    std::size_t place = task.value;  // in the part
    for (; parts.has(part + 1) && place >= parts[part].nodes; ++part) place -= parts[part].nodes;
    return part;
  }
  const GangPart& part_at(TaskIndex task) const { return parts.empty() ? *this : parts[part_of(task)]; }
};

// The time for which free capacity is asked:
// - now: besides all that runs, and besides nominated placements;
// - later: when leaving jobs have left. Nominated placements still count as taken.
enum class When : std::uint8_t { now, later };

class Inventory {
 public:
  Inventory() { flavor_names.intern(kDefaultFlavor); }

  // True if the node's devices or their ids changed.
  bool set(const Node& node);
  void remove_node(const std::string& name);
  // Releases the index of a removed node for others. Precondition: nothing of it is in use.
  void forget_node(NodeIndex n);
  void set(const Cluster& cluster);
  void remove_cluster(const std::string& name);
  void set(const Flavor& flavor);
  void remove_flavor(const std::string& name);
  void want(const std::string& flavor, std::int64_t nodes, Instant time);  // NodesWanted

  // Changes with the machines themselves, not with what is taken of them.
  std::uint64_t changes() const { return changes_; }

  // The same rule gives the same index; each acquire needs a release.
  RuleIndex acquire_rule(const NodeRule& rule);
  void release_rule(RuleIndex rule);
  const NodeRule& rule(RuleIndex rule) const { return rules_[rule]; }
  // For a node that may not exist yet.
  bool admits(const NodeRule& rule, const Node& node) const {
    return rule.admits(node) && (!rule.in_container || has_containers(node.cluster));
  }
  bool has_containers(const std::string& cluster) const;  // empty: some cluster has
  bool matches(RuleIndex rule, NodeIndex node) const {
    return (matches_[rule][node.value / 64] >> (node.value % 64) & 1U) != 0;
  }
  // Calls `each` with every node that the rule admits.
  template <class Each>
  void for_each_match(RuleIndex rule, Each each) const {
    for (std::size_t word = 0; word < matches_[rule].size(); ++word)
      for (std::uint64_t left = matches_[rule][word]; left != 0; left &= left - 1)
        each(NodeIndex(word * 64 + static_cast<std::size_t>(std::countr_zero(left))));
  }

  // The index of a known name, or a new one (without a row yet).
  NodeIndex node(const std::string& name);
  // For an attempt or a nomination (model/flavor_mix.h).
  Flavors intern_flavors(const std::string& name);
  // kNone for a name that was never seen.
  Flavors find_flavors(const std::string& name) const;
  std::string name_of(const Flavors& flavors) const;
  bool is_spot(FlavorIndex flavor) const;
  // Whether an anchor may be of `flavor` if the other nodes are of `others`.
  bool may_anchor(FlavorIndex flavor, FlavorIndex others) const;

  // The ids in `devices` that the node has, as bits in the order of its inventory.
  std::uint64_t device_bits(NodeIndex node, const std::vector<std::string>& devices) const;

  // Size of the empty node, with these devices or with all, as if each was healthy.
  ResourceVector size_of(NodeIndex n, std::uint64_t bits) const;
  ResourceVector size_of(NodeIndex n) const { return size_of(n, devices[n]); }
  // Unused devices of one node, or of each.
  std::uint64_t free_devices(NodeIndex n, When when = When::now) const { return free_[of(when)].devices[n]; }
  const IndexedVector<NodeIndex, std::uint64_t>& free_devices(When when) const { return free_[of(when)].devices; }
  // Whether all its devices are whole GPUs, and none is or was ever shared.
  bool is_plain(NodeIndex n) const { return plain_[n] != 0; }
  bool is_shared(NodeIndex n) const { return shared_[n] != 0; }
  // Devices of the node that are slices of the profile; kNone: whole GPUs.
  std::uint64_t of_profile(NodeIndex n, ProfileIndex profile) const {
    if (profile == kNone) return devices[n] & ~slices[n];
    return slices[n] == 0 ? 0 : slices_of(n, profile);
  }
  std::uint64_t free_devices(NodeIndex n, const NodeNeed& need, When when) const {
    const std::uint64_t free = free_devices(n, when);
    return is_plain(n) && need.profile == kNone ? free : free & of_profile(n, need.profile);
  }
  Part all_of(NodeIndex n, DeviceIndex device) const;
  // What a device has left to share. Nothing if it is taken as a whole, is no whole GPU, or is not healthy.
  Part free_part(NodeIndex n, DeviceIndex device, When when) const;
  // Devices with a part taken.
  std::uint64_t shared_devices(NodeIndex n, When when) const;
  // For each amount, the most that a sharing task could get of a device.
  Part largest_part(NodeIndex n, When when) const;
  // In thousandths, of the GPUs or slices that the task asks for.
  std::int64_t free_gpus(NodeIndex n, const Task& task, When when) const;
  // Whether these devices of the node are free for the task.
  bool are_free(NodeIndex n, const NodeNeed& need, std::uint64_t bits, When when) const;
  // Below zero after the node has shrunk.
  std::int64_t free_cpus(NodeIndex n, When when = When::now) const { return free_[of(when)].cpus[n]; }
  std::int64_t free_memory(NodeIndex n, When when = When::now) const { return free_[of(when)].memory[n]; }
  bool large_enough(NodeIndex n, const NodeNeed& need) const;  // when empty and every device healthy
  bool can_serve(NodeIndex n, const NodeNeed& need) const;     // in service, and has room when other jobs have ended
  // An overcommitted kind does not matter to a task that takes nothing of it.
  bool has_free(NodeIndex n, const NodeNeed& need, When when = When::now) const {
    if ((need.cpus != 0 && free_cpus(n, when) < need.cpus) || (need.memory != 0 && free_memory(n, when) < need.memory))
      return false;
    if (need.shares()) return has_part(n, need.part, when);
    return need.devices == 0 || std::popcount(free_devices(n, need, when)) >= need.devices;
  }

  bool cluster_available(ClusterIndex c) const { return cluster_up_[c] != 0; }
  bool in_service(NodeIndex n) const { return up[n] != 0 && cluster_available(cluster[n]); }
  // 0 for a flavor that does not exist.
  std::int64_t price_micros_per_gpu_hour(FlavorIndex flavor) const;
  // Null: the flavor is not elastic, or does not exist.
  const Flavor* elastic(FlavorIndex flavor) const;
  const std::map<std::string, Flavor>& flavor_rows() const { return flavors_; }  // by name
  // The flavors that exist, in the order in which they are tried if no quota sets another: by rank, then by name. The
  // implicit one if none is configured.
  std::vector<FlavorIndex> flavors() const;
  IndexedSpan<PoolIndex, Pool> pools(FlavorIndex flavor) const;  // by name of the cluster
  // All nodes of the gang have to be in one of these.
  IndexedSpan<PoolIndex, Pool> pools(FlavorIndex flavor, const Levels& levels) const {
    return pools(flavor, levels.required);
  }
  // The domains of a level; kNone: the clusters.
  IndexedSpan<PoolIndex, Pool> pools(FlavorIndex flavor, LevelIndex level) const {
    return level == kNone ? pools(flavor) : topology.pools(level, flavor);
  }
  // The pool of the other flavor in the same domain of the level, or in the same cluster; null: there is none.
  const Pool* pool_beside(const Pool& pool, FlavorIndex flavor, LevelIndex level) const;
  // Precondition: the pool is one of the flavor's at that level.
  PoolIndex index_of(const Pool& pool, FlavorIndex flavor, LevelIndex level) const {
    return pools(flavor, level).index_of(pool);
  }
  // A nominated placement lies where jobs leave: what both count is taken once.
  static std::int64_t taken(std::int64_t used, std::int64_t leaving, std::int64_t held, When when) {
    return when == When::now ? std::max(used, used - leaving + held) : used - leaving + held;
  }
  // Only these change what is taken for the purposes below. So what is free is known without counting.
  void add(Taken& taken, NodeIndex n, const NodeNeed& need, std::uint64_t bits);
  void remove(Taken& taken, NodeIndex n, const NodeNeed& need, std::uint64_t bits);
  // The devices changed: clears what is taken of them. Then add_devices adds it again.
  void clear_devices(NodeIndex n);
  void add_devices(Taken& taken, NodeIndex n, const NodeNeed& need, std::uint64_t bits);
  // Invariant: what is free is what is not taken.
  bool free_is_current(NodeIndex n) const;

  // Call this after machines changed, before questions about the topology.
  void renew_topology();

  Task task_of(const TaskResources& resources);

  Names<NodeIndex> node_names;
  Names<ClusterIndex> cluster_names;
  Names<FlavorIndex> flavor_names;
  Names<ProfileIndex> profile_names;
  // Of a removed node only what is in use is left.
  IndexedVector<NodeIndex, std::optional<Node>> rows;
  // A bit for each device of the row. Healthy means usable (Device::usable).
  IndexedVector<NodeIndex, std::uint64_t> devices, healthy, slices;
  IndexedVector<NodeIndex, std::int64_t> cpus, memory;
  IndexedVector<NodeIndex, std::int64_t> least_gpu_memory;  // of a whole GPU; enough for any task if it is not known
  Taken used;                                               // by all that runs
  Taken leaving;                                            // part of `used` that will be free soon
  // nominated for waiting jobs; others may still use it until they leave
  Taken held;
  IndexedVector<NodeIndex, ClusterIndex> cluster;   // kNone: none
  IndexedVector<NodeIndex, FlavorIndex> flavor_of;  // kNone: none
  Topology topology;
  IndexedVector<NodeIndex, std::uint8_t> up;  // exists and is in service

 private:
  // By node: what is free at a time.
  struct FreeArrays {
    IndexedVector<NodeIndex, std::uint64_t> devices;
    IndexedVector<NodeIndex, std::int64_t> cpus, memory;
  };
  static std::size_t of(When when) { return when == When::now ? 0 : 1; }
  std::uint64_t devices_left(NodeIndex n, When when) const;
  std::int64_t cpus_left(NodeIndex n, When when) const {
    return cpus[n] - taken(used.cpus[n], leaving.cpus[n], held.cpus[n], when);
  }
  std::int64_t memory_left(NodeIndex n, When when) const {
    return memory[n] - taken(used.memory[n], leaving.memory[n], held.memory[n], when);
  }
  void renew_free(NodeIndex n);
  std::uint64_t taken_whole(NodeIndex n, When when) const {
    return (when == When::now ? used.devices[n] : used.devices[n] & ~leaving.devices[n]) | held.devices[n];
  }
  bool has_part(NodeIndex n, const Part& part, When when) const;
  std::int64_t milli_of(NodeIndex n, std::uint64_t bits) const;
  std::int64_t free_milli(NodeIndex n, When when) const;  // of whole GPUs
  Part taken_part(NodeIndex n, DeviceIndex device, When when) const;
  std::uint64_t slices_of(NodeIndex n, ProfileIndex profile) const;
  std::uint64_t devices_for(NodeIndex n, const NodeNeed& need) const;
  void grow();
  void copy_row(NodeIndex n);
  void renew_matches(const std::string& cluster);
  void join_pool(NodeIndex n);
  void leave_pool(NodeIndex n);
  void regroup();
  FlavorIndex flavor_for(const Node& node);

  std::array<FreeArrays, 2> free_;
  std::uint64_t changes_ = 1;
  std::map<std::string, Cluster> clusters_;
  std::map<std::string, Flavor> flavors_;
  IndexedVector<ClusterIndex, std::uint8_t> cluster_up_;
  IndexedVector<NodeIndex, std::uint8_t> shared_, plain_;
  IndexedVector<FlavorIndex, IndexedVector<PoolIndex, Pool>> pools_;
  Shared<NodeRule, RuleIndex> rules_;
  IndexedVector<RuleIndex, std::vector<std::uint64_t>> matches_;  // a bit a node
};

// Whether the node has room for some task of the gang now.
inline bool has_room_for_some(const Inventory& inventory, const GangNeed& need, NodeIndex node) {
  const auto has_room = [&](const GangPart& part) {
    return inventory.matches(part.rule, node) && inventory.has_free(node, part.task);
  };
  return need.parts.empty() ? has_room(need) : std::ranges::any_of(need.parts, has_room);
}

}  // namespace ym::engine
