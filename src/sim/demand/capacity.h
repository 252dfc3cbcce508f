// Capacity: finds by simulation how many nodes a workload needs, and what money buys.
//
// The caller simulates a cluster. This code chooses which clusters to simulate. It assumes that with more nodes waits
// do not get longer and utilisation does not rise. Schedulers keep to that only approximately (Graham, "Bounds on
// multiprocessing timing anomalies", 1969). So an answer was simulated and found to be enough, and one node fewer was
// found not to be.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "sim/demand/history.h"

namespace ym::sim {

struct NodeFlavor {
  std::string name;
  std::int64_t gpus = 8;          // of each node
  double price_per_gpu_hour = 0;  // in any currency, for used and idle GPUs
};

struct CapacityRun {
  std::int64_t nodes = 0;
  Duration mean_wait, p90_wait;  // from the submit to the first start
  double utilisation = 0;        // of the GPUs, from 0 to 1
};

// Simulates the whole workload on `nodes` nodes of the flavor. `nodes` of the result is ignored. An error ends the
// search.
using SimulateNodes = std::function<Result<CapacityRun>(const NodeFlavor& flavor, std::int64_t nodes)>;

// All limits that are set must hold.
struct CapacityGoal {
  std::optional<Duration> mean_wait_at_most{}, p90_wait_at_most{};
  std::optional<double> utilisation_at_most{};
};

struct SearchOptions {
  std::int64_t first_guess = 1;  // a good guess saves simulations: see `nodes_for_mean_demand`
  std::int64_t least = 1;        // fewer are not tried: see `nodes_for_largest_job`
  std::int64_t most = 4096;
  int runs_at_most = 16;
};

struct CapacityAnswer {
  std::optional<CapacityRun> enough{};  // fewest nodes that are enough; nothing: no number that was tried is
  bool exact = false;                   // one node fewer is not enough, or is below `least`
  std::vector<CapacityRun> tried{};     // by number of nodes
};

bool reaches(const CapacityRun& run, const CapacityGoal& goal);

// Errors: `invalid`: the goal has no limit, or the options leave nothing to try.
Result<CapacityAnswer> nodes_needed(const NodeFlavor& flavor, const CapacityGoal& goal, const SimulateNodes& simulate,
                                    const SearchOptions& options = {});

// The nodes that `budget` pays for during `period`, at all hours, and how the workload fares on them; nothing if it
// does not pay for a node. Errors: `invalid`: price, period or GPUs of a node are 0.
struct HardwareBudget {
  double amount = 0;
  Duration period;
};
Result<std::int64_t> affordable_nodes(const NodeFlavor& flavor, const HardwareBudget& budget);
Result<std::optional<CapacityRun>> what_budget_buys(const NodeFlavor& flavor, const HardwareBudget& budget,
                                                    const SimulateNodes& simulate);
double price_per_hour(const NodeFlavor& flavor, std::int64_t nodes);

// Preconditions of both: a node of the flavor has a GPU; jobs are in the order of their submits. The result is at least
// 1.
std::int64_t nodes_for_largest_job(const NodeFlavor& flavor, std::span<const PastJob> jobs);
// From the first submit to the last end, if each job started at its submit.
std::int64_t nodes_for_mean_demand(const NodeFlavor& flavor, std::span<const PastJob> jobs);

}  // namespace ym::sim
