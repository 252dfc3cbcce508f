// Workload: the tasks of all jobs, running and waiting. The value of idle GPUs depends on the tasks that could use
// them, and on the nodes that these may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/state/nodes/inventory.h"

namespace ym::engine {

struct TaskType {
  NodeNeed need;
  std::int64_t tasks = 0;  // number of tasks that need the same
};

class Workload {
 public:
  // At most this many types, and only the commonest that make up this percentage of all tasks.
  static constexpr std::size_t kMostTypes = 32;
  static constexpr std::int64_t kCoveredPercent = 99;

  // Adds tasks; a negative number removes tasks that were added before. The caller holds the rule while it has tasks.
  void add(RuleIndex rule, const NodeNeed& need, std::int64_t tasks);

  // The commonest types that need devices: most tasks first; of equals the larger need, whole GPUs before slices.
  std::vector<TaskType> types(const Names<ProfileIndex>& profile_names) const;
  // By rule, in no meaningful order: thousandths of GPUs, whole or shared, that tasks need.
  const std::map<RuleIndex, std::int64_t>& gpus_by_rule() const { return gpus_; }

 private:
  std::map<NodeNeed, std::int64_t> tasks_;
  std::map<RuleIndex, std::int64_t> gpus_;
};

}  // namespace ym::engine
