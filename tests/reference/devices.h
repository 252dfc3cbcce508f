// Naive devices: how much of each device of a node is taken, and which devices a task could use.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/job_spec.h"

namespace ym::reference {

class Devices {
 public:
  static constexpr std::int64_t kEnough = std::numeric_limits<std::int64_t>::max() / 2;  // of what is not known
  struct Part {
    std::int64_t milli = 0, memory = 0;
    auto operator<=>(const Part&) const = default;
  };
  // Of the devices that suit a task of some profile: the number of unused ones, and what is left of each shared one.
  struct Idle {
    std::int64_t whole = 0;
    std::vector<Part> parts;
    std::int64_t milli() const;
  };

  void take(const TaskResources& task, const std::vector<std::string>& ids);

  // The devices that the task could use now, in the order of the node's inventory: unused ones of its profile or, for a
  // share, ones with enough left.
  std::vector<std::string> free(const TaskResources& task, const Node& node) const;
  // Thousandths of these devices; for a share, thousandths of all GPUs, however scattered.
  std::int64_t free_milli(const TaskResources& task, const Node& node) const;
  Idle idle(const std::string& profile, const Node& node) const;
  Part left_of(const Device& device) const;  // nothing of one that is not healthy

 private:
  std::map<std::string, Part> taken_;
};

// Whether the device suits such tasks, used or not.
bool suits(const Device& device, const TaskResources& task);
bool has_part(const Devices::Part& left, const TaskResources& task);

}  // namespace ym::reference
