// What tasks there are, running and waiting: what idle GPUs are worth depends on who could use them, and which nodes
// they may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/state/inventory.h"

namespace ym::engine {

struct TaskType {
  NodeNeed need;
  std::int64_t tasks = 0;  // how many need the same
};

class Workload {
 public:
  // At most so many types, and none beyond those that make up so much of all tasks.
  static constexpr std::size_t kMostTypes = 32;
  static constexpr std::int64_t kCoveredPercent = 99;

  // Less of them, below zero. Precondition: they were added. Whoever holds tasks of a rule holds the rule.
  void add(RuleIndex rule, const NodeNeed& need, std::int64_t tasks);

  // The commonest of those that need devices: most tasks first, of as many those that need more, whole GPUs before
  // slices.
  std::vector<TaskType> types(const Names<ProfileIndex>& profile_names) const;
  // By rule, in no order of meaning: thousandths of GPUs, whole or shared, that tasks need.
  const std::map<RuleIndex, std::int64_t>& gpus_by_rule() const { return gpus_; }

 private:
  std::map<NodeNeed, std::int64_t> tasks_;
  std::map<RuleIndex, std::int64_t> gpus_;
};

}  // namespace ym::engine
