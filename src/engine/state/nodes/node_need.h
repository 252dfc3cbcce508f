// What tasks ask of nodes and of the devices in them.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/state/flavors.h"
#include "engine/state/names.h"
#include "model/cluster.h"
#include "model/job_spec.h"

namespace ym::engine {

// A part of one device: thousandths of it, and bytes of its memory.
struct Part {
  std::int64_t milli = 0, memory = 0;

  bool is_none() const { return milli == 0 && memory == 0; }
  bool covers(const Part& other) const { return milli >= other.milli && memory >= other.memory; }
  auto operator<=>(const Part&) const = default;

  // For a device with unknown memory: more than any job asks for.
  static constexpr std::int64_t kUnknownMemory = std::numeric_limits<std::int64_t>::max() / 2;

  Part& operator+=(const Part& other) {
    milli += other.milli;
    memory += other.memory;
    return *this;
  }
  Part& operator-=(const Part& other) {
    milli -= other.milli;
    memory -= other.memory;
    return *this;
  }
};

// What each task of a gang takes: amounts that count against quota, and the form of its GPUs. That is whole devices,
// slices of one profile, or a part of one device.
struct Task : ResourceVector {
  std::int64_t devices = 0;
  ProfileIndex profile = kNone;  // of the slices; kNone: whole GPUs
  Part part;                     // nothing: it shares no device
  auto operator<=>(const Task&) const = default;
};

// What one task takes of its node, in the units of the inventory's arrays.
struct NodeNeed {
  std::int64_t devices = 0;
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
  ProfileIndex profile = kNone;
  Part part;
  auto operator<=>(const NodeNeed&) const = default;

  static NodeNeed of(const Task& task) {
    return {.devices = task.devices,
            .cpus = task[ResourceKind::cpus],
            .memory = task[ResourceKind::memory],
            .profile = task.profile,
            .part = task.part};
  }
  bool shares() const { return part.milli > 0; }
  bool asks_for_devices() const { return devices > 0 || shares(); }
  // Number of device ids in a placement of the task.
  std::int64_t ids() const { return shares() ? 1 : devices; }
};

// Tasks of a gang that are alike, if not all are.
struct Group {
  std::int32_t nodes = 1;
  Task task;
  RuleIndex rule = kNone;        // nodes that they may use
  NeedIndex need_index = kNone;  // their need by themselves
  auto operator<=>(const Group&) const = default;
};

// The parts of a gang: its groups; or its anchor and the other tasks, if these are of two flavors; or the whole gang.
// Calls `each` with the flavor, the task and the number of tasks, in the order of the tasks. Gang: Shape or Footprint.
template <class Gang, class Each>
void for_each_part(const Gang& gang, const Flavors& flavors, std::int64_t tasks, Each each) {
  if (!flavors.is_mix()) return each(flavors.only(), gang.task, tasks);
  if (gang.groups.empty()) {
    each(flavors.first(), gang.task, gang.anchor);
    return each(flavors.of(PartIndex{1}), gang.task, tasks - gang.anchor);
  }
  PartIndex part{0U};
  for (const Group& group : gang.groups) each(flavors.of(part++), group.task, group.nodes);
}

// Amounts that the gang takes of one flavor.
template <class Gang>
ResourceVector amounts_in(const Gang& gang, const Flavors& flavors, FlavorIndex flavor, std::int64_t tasks) {
  if (!flavors.is_mix()) return gang.task * tasks;
  ResourceVector amounts;
  for_each_part(gang, flavors, tasks, [&](FlavorIndex own, const Task& task, std::int64_t count) {
    if (own == flavor) amounts += task * count;
  });
  return amounts;
}

// Amounts at this size.
template <class Gang>
ResourceVector total_of(const Gang& gang, std::int64_t tasks) {
  if (gang.groups.empty()) return gang.task * tasks;
  ResourceVector total;
  for (const Group& group : gang.groups) total += group.task * group.nodes;
  return total;
}

// Calls `each` with each task, and what it takes of its node.
template <class Gang, class Each>
void for_each_task(const Gang& gang, std::size_t tasks, Each each) {
  if (gang.groups.empty()) {
    const NodeNeed need = NodeNeed::of(gang.task);
    for (const TaskIndex task : indices<TaskIndex>(tasks)) each(task, need);
    return;
  }
  TaskIndex task{0U};
  for (const Group& group : gang.groups) {
    const NodeNeed need = NodeNeed::of(group.task);
    for (const TaskIndex end = task + static_cast<std::uint32_t>(group.nodes); task < end; ++task) each(task, need);
  }
}

template <class Gang>
const Task& task_of(const Gang& gang, TaskIndex task) {
  std::size_t place = task.value;  // in the group
  for (const Group& group : gang.groups) {
    if (std::cmp_less(place, group.nodes)) return group.task;
    place -= static_cast<std::size_t>(group.nodes);
  }
  return gang.task;
}

template <class Gang>
NodeNeed need_of(const Gang& gang, TaskIndex task) {
  return NodeNeed::of(task_of(gang, task));
}

// Which nodes a task may use, apart from what it needs of them.
struct NodeRule {
  std::vector<std::string> gpu_types;  // any of these, sorted; empty: any type
  std::string profile;                 // of the slices that it wants; empty: none
  std::map<std::string, std::string> select;
  std::vector<std::string> exclude;  // sorted
  bool in_container = false;         // only clusters that run tasks in containers: the job names an image
  auto operator<=>(const NodeRule&) const = default;

  // For one group, or for a job without groups.
  static NodeRule of(const TaskResources& resources, const PlacementRules& placement);
  // As far as the node alone decides: Inventory::admits also checks its cluster.
  bool admits(const Node& node) const;
};

}  // namespace ym::engine
