// Capacity: how many nodes a workload needs, and what money buys, found by simulation.
//
// How a cluster is simulated is the caller's; here is which ones are worth it. More nodes are taken to mean no longer
// waits and no higher utilisation. Schedulers keep to that only nearly (Graham, "Bounds on multiprocessing timing
// anomalies", 1969), so an answer is one that was simulated and found to do, and one node fewer was found not to.
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
  std::int64_t gpus = 8;          // of a node
  double price_per_gpu_hour = 0;  // in any currency, whether used or not
};

struct CapacityRun {
  std::int64_t nodes = 0;
  Duration mean_wait, p90_wait;  // from submission to the first start
  double utilisation = 0;        // of the GPUs, of 1
};

// The whole workload on so many nodes of the flavor; `nodes` of what it returns is not looked at. Its errors end a
// search.
using SimulateNodes = std::function<Result<CapacityRun>(const NodeFlavor& flavor, std::int64_t nodes)>;

// What is stated has to hold all together.
struct CapacityGoal {
  std::optional<Duration> mean_wait_at_most{}, p90_wait_at_most{};
  std::optional<double> utilisation_at_most{};
};

struct SearchOptions {
  std::int64_t first_guess = 1;  // near it fewer simulations are needed: see `nodes_for_mean_demand`
  std::int64_t least = 1;        // with fewer nothing is tried: see `nodes_for_largest_job`
  std::int64_t most = 4096;
  int runs_at_most = 16;
};

struct CapacityAnswer {
  std::optional<CapacityRun> enough{};  // the fewest nodes found to do; nothing: not even the most that was tried
  bool exact = false;                   // one node fewer was found not to do, or is below the least
  std::vector<CapacityRun> tried{};     // by number of nodes
};

bool reaches(const CapacityRun& run, const CapacityGoal& goal);

// `invalid`: a goal that states nothing, or options that leave nothing to try.
Result<CapacityAnswer> nodes_needed(const NodeFlavor& flavor, const CapacityGoal& goal, const SimulateNodes& simulate,
                                    const SearchOptions& options = {});

// What `budget` pays for over `period`, day and night, and how the workload fares there; nothing where it does not pay
// for a single node. `invalid`: a price, a period or a flavor of nothing.
struct HardwareBudget {
  double amount = 0;
  Duration period;
};
Result<std::int64_t> affordable_nodes(const NodeFlavor& flavor, const HardwareBudget& budget);
Result<std::optional<CapacityRun>> what_budget_buys(const NodeFlavor& flavor, const HardwareBudget& budget,
                                                    const SimulateNodes& simulate);
double price_per_hour(const NodeFlavor& flavor, std::int64_t nodes);

// Preconditions of both: a node of the flavor has a GPU; jobs in the order of submission. At least 1.
std::int64_t nodes_for_largest_job(const NodeFlavor& flavor, std::span<const PastJob> jobs);
// From the first submission to the last end, did each job start when it came.
std::int64_t nodes_for_mean_demand(const NodeFlavor& flavor, std::span<const PastJob> jobs);

}  // namespace ym::sim
