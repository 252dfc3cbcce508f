// The policies of the table of deadlines by name.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/queueing/deadlines.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

struct DeadlinePolicy {
  std::string name;
  std::function<Result<std::vector<Outcome>>(std::span<const Job>, std::span<const Deadlines>, const ClusterShape&)>
      run;
  bool is_engine = false;
};

// FIFO strict and backfilling, SJF; EDF, with and without admission (turns.h), each strict and skipping; least laxity;
// SRTF; ours (worth.h), with best effort behind and among the others; the engine by deadline, with its age cap and
// without. Those of `wanted`, or all if it is empty; `not_found` names the first that there is none of.
Result<std::vector<DeadlinePolicy>> deadline_policies(const std::vector<std::string>& wanted = {});

}  // namespace ym::sim::queueing
