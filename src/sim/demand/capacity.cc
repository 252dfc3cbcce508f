#include "sim/demand/capacity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/assert.h"
#include "sim/demand/calendar.h"

namespace ym::sim {
namespace {

constexpr std::int64_t kMostNodes = 1'000'000;

// Doubles its steps from a guess until the answer is between two numbers, then halves the interval.
class Search {
 public:
  Search(const SearchOptions& options, const CapacityGoal& goal)
      : options_(options), goal_(goal), too_few_(options.least - 1), guess_(options.first_guess) {}

  // Nothing if the answer is known, or the runs are used up.
  std::optional<std::int64_t> next() const {
    if (static_cast<int>(tried_.size()) >= options_.runs_at_most || exact()) return std::nullopt;
    if (tried_.empty()) return std::clamp(guess_, options_.least, options_.most);
    if (!enough_)
      return too_few_ == options_.most ? std::nullopt : std::optional(std::min(2 * too_few_, options_.most));
    if (too_few_ < options_.least) return std::max(*enough_ / 2, options_.least);
    return too_few_ + (*enough_ - too_few_) / 2;
  }
  void add(CapacityRun run) {
    if (reaches(run, goal_)) enough_ = run.nodes;
    else too_few_ = run.nodes;
    tried_.emplace(run.nodes, run);
  }
  CapacityAnswer answer() const {
    CapacityAnswer answer{.exact = exact()};
    if (enough_) answer.enough = tried_.at(*enough_);
    for (const auto& [nodes, run] : tried_) answer.tried.push_back(run);
    return answer;
  }

 private:
  bool exact() const { return enough_ && *enough_ == too_few_ + 1; }

  SearchOptions options_;
  CapacityGoal goal_;
  std::int64_t too_few_;  // a run had too few nodes, or it is below `least`
  std::int64_t guess_;
  std::optional<std::int64_t> enough_;
  std::map<std::int64_t, CapacityRun> tried_;
};

std::int64_t nodes_for(const NodeFlavor& flavor, std::int64_t gpus) {
  YM_ASSERT(flavor.gpus > 0);
  return std::max<std::int64_t>(1, (gpus + flavor.gpus - 1) / flavor.gpus);
}

bool states_nothing(const CapacityGoal& goal) {
  return !goal.mean_wait_at_most && !goal.p90_wait_at_most && !goal.utilisation_at_most;
}

Result<CapacityRun> run_on(const NodeFlavor& flavor, std::int64_t nodes, const SimulateNodes& simulate) {
  auto run = simulate(flavor, nodes);
  if (run) run->nodes = nodes;
  return run;
}

}  // namespace

bool reaches(const CapacityRun& run, const CapacityGoal& goal) {
  return (!goal.mean_wait_at_most || run.mean_wait <= *goal.mean_wait_at_most) &&
         (!goal.p90_wait_at_most || run.p90_wait <= *goal.p90_wait_at_most) &&
         (!goal.utilisation_at_most || run.utilisation <= *goal.utilisation_at_most);
}

Result<CapacityAnswer> nodes_needed(const NodeFlavor& flavor, const CapacityGoal& goal, const SimulateNodes& simulate,
                                    const SearchOptions& options) {
  if (states_nothing(goal)) return fail(ErrorCode::invalid, "set a limit for a wait or for the utilisation");
  if (options.least < 1 || options.most < options.least || options.most > kMostNodes || options.runs_at_most < 1) {
    return fail(ErrorCode::invalid,
                "no number of nodes can be tried: at least 1, at most 1000000, in at least one run");
  }
  Search search(options, goal);
  while (const auto nodes = search.next()) {
    auto run = run_on(flavor, *nodes, simulate);
    if (!run) return std::unexpected(std::move(run.error()));
    search.add(*run);
  }
  return search.answer();
}

double price_per_hour(const NodeFlavor& flavor, std::int64_t nodes) {
  return flavor.price_per_gpu_hour * static_cast<double>(flavor.gpus * nodes);
}

Result<std::int64_t> affordable_nodes(const NodeFlavor& flavor, const HardwareBudget& budget) {
  const double hours = static_cast<double>(budget.period.ms) / static_cast<double>(kHourMs);
  const double price = price_per_hour(flavor, 1) * hours;
  if (!(price > 0) || !(budget.amount >= 0)) {
    return fail(ErrorCode::invalid, "a budget needs a price, GPUs in a node and a period, and is not negative");
  }
  return static_cast<std::int64_t>(std::min(std::floor(budget.amount / price), static_cast<double>(kMostNodes)));
}

Result<std::optional<CapacityRun>> what_budget_buys(const NodeFlavor& flavor, const HardwareBudget& budget,
                                                    const SimulateNodes& simulate) {
  const auto nodes = affordable_nodes(flavor, budget);
  if (!nodes) return std::unexpected(nodes.error());
  if (*nodes == 0) return std::nullopt;
  return run_on(flavor, *nodes, simulate);
}

std::int64_t nodes_for_largest_job(const NodeFlavor& flavor, std::span<const PastJob> jobs) {
  std::int64_t gpus = 0;
  for (const PastJob& job : jobs) gpus = std::max(gpus, job.gpus);
  return nodes_for(flavor, gpus);
}

std::int64_t nodes_for_mean_demand(const NodeFlavor& flavor, std::span<const PastJob> jobs) {
  if (jobs.empty()) return 1;
  std::int64_t gpu_ms = 0;
  Instant end = jobs.front().submit_at;
  for (const PastJob& job : jobs) {
    gpu_ms += job.gpus * job.run_time.ms;
    end = std::max(end, job.submit_at + job.run_time);
  }
  const auto span = std::max<std::int64_t>(1, (end - jobs.front().submit_at).ms);
  return nodes_for(flavor, (gpu_ms + span - 1) / span);
}

}  // namespace ym::sim
