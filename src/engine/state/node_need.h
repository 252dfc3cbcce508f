// What tasks ask of nodes and of the devices in them.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/state/names.h"
#include "model/cluster.h"
#include "model/job_spec.h"

namespace ym::engine {

// Of one device: thousandths of it, and bytes of its memory.
struct Part {
  std::int64_t milli = 0, memory = 0;

  bool is_none() const { return milli == 0 && memory == 0; }
  bool covers(const Part& other) const { return milli >= other.milli && memory >= other.memory; }
  auto operator<=>(const Part&) const = default;

  // Of a device the memory of which is not known: more than anybody asks for.
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

// What each task of a gang takes: amounts that count against quota, and how it has its GPUs. Either whole devices,
// or slices of one profile, or a part of one device.
struct Task : ResourceVector {
  std::int64_t devices = 0;
  Index profile = kNone;  // of the slices; kNone: whole GPUs
  Part part;              // nothing: it shares none
  auto operator<=>(const Task&) const = default;
};

// What one task takes of its node, in the units of the inventory's arrays.
struct NodeNeed {
  std::int64_t devices = 0;
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
  Index profile = kNone;
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
  // Ids that a placement of the task has.
  std::int64_t ids() const { return shares() ? 1 : devices; }
};

// Which nodes a task may use, whatever it needs of them.
struct NodeRule {
  std::vector<std::string> gpu_types;  // any of these, sorted; none: any there is
  std::string profile;                 // of the slices that it wants; empty: none
  std::map<std::string, std::string> select;
  std::vector<std::string> exclude;  // sorted
  auto operator<=>(const NodeRule&) const = default;

  static NodeRule of(const JobSpec& spec);
  bool admits(const Node& node) const;
};

}  // namespace ym::engine
