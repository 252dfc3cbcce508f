// Our production engine on these lists of jobs: through the simulator (sim/simulate), with nothing changed but what its
// configuration file may say.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/queue.h"
#include "papers/queueing/deadlines.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

enum class Declared {
  nothing,  // jobs have no time limit, and one user; orders by run time go by what the engine has seen of his jobs
  // Each job's time limit is its run time, and a second. Each has a user of its own: of a user whose jobs it has seen
  // the engine would believe its prediction, not the limit.
  run_time,
};

struct EngineOptions {
  ClusterShape shape{};
  JobOrder order = JobOrder::fifo;
  Declared declared = Declared::nothing;
  std::optional<Duration> age_cap{};  // nothing: the engine's default, four hours
};

// By job, to the millisecond. A job of more GPUs than a node has asks for as few nodes as will do, each with equal
// parts. All have the same priority, so that nobody is stopped. Of a job with several deadlines the engine
// knows the last. `deadlines`: none, or of each.
// Errors: those of the simulator; `conflict` where a job did not end.
Result<std::vector<Outcome>> run_engine(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                                        const EngineOptions& options);

}  // namespace ym::sim::queueing
