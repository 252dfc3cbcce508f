#include "papers/elastic/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ym::sim::elastic {
namespace {

class Rounds {
 public:
  Rounds(const Catalog& catalog, const std::vector<JobRequest>& requests, Policy& policy, const Protocol& protocol)
      : catalog_(catalog), policy_(policy), protocol_(protocol) {
    for (const JobRequest& request : requests) jobs_.push_back({.request = request});
  }

  Result<Outcome> run() {
    while (!std::ranges::all_of(jobs_, [](const Job& job) { return job.end_s.has_value(); })) {
      if (auto done = next(); !done) return std::unexpected(done.error());
      if (now_s_ > protocol_.longest_s)
        return fail(ErrorCode::internal, fmt::format("{} does not come to an end", policy_.name()));
    }
    return Outcome{.jobs = std::move(jobs_)};
  }

 private:
  Result<void> next() {
    for (Job& job : jobs_) {
      const Application& application = catalog_[job.request.application];
      if (auto done = advance(job, application, policy_.batch_mode(), now_s_, protocol_.round_s); !done) return done;
    }
    now_s_ += protocol_.round_s;
    const Round round{.now_s = now_s_, .catalog = catalog_, .jobs = jobs_, .active = active()};
    if (round.active.empty()) return {};
    return apply(round.active, policy_.plan(round));
  }

  std::vector<std::size_t> active() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (!jobs_[i].end_s && jobs_[i].request.submit_s <= now_s_) found.push_back(i);
    return found;
  }

  Result<void> apply(const std::vector<std::size_t>& active, std::vector<Allocation> plan) {
    std::vector<Count> used(protocol_.cluster.nodes);
    for (const Allocation& allocation : plan)
      for (const NodeShare& share : allocation) used.at(share.node) += share.gpus;
    if (plan.size() != active.size() || std::ranges::max(used) > protocol_.cluster.gpus_per_node)
      return fail(ErrorCode::internal, fmt::format("{} gives GPUs that are not there", policy_.name()));
    for (std::size_t i = 0; i < active.size(); ++i) place(jobs_[active[i]], std::move(plan[i]));
    return {};
  }

  void place(Job& job, Allocation allocation) const {
    if (allocation == job.allocation) return;
    job.allocation = std::move(allocation);
    job.layout = layout_of(job.allocation);
    job.ran_here_s = 0;
    if (job.allocation.empty()) return;
    choose_batch(job, catalog_[job.request.application], policy_.batch_mode());
    job.pause_left_s = protocol_.pause_s;
    job.starts += 1;
  }

  const Catalog& catalog_;
  Policy& policy_;
  const Protocol& protocol_;
  std::vector<Job> jobs_;
  std::int32_t now_s_ = 0;
};

}  // namespace

double Outcome::mean_completion_s() const {
  double sum_s = 0;
  for (const Job& job : jobs) sum_s += *job.end_s - job.request.submit_s;
  return sum_s / static_cast<double>(jobs.size());
}

double Outcome::restarts_per_job() const {
  double restarts = 0;
  for (const Job& job : jobs) restarts += job.starts - 1;
  return restarts / static_cast<double>(jobs.size());
}

Result<Outcome> simulate(const Catalog& catalog, const std::vector<JobRequest>& requests, Policy& policy,
                         const Protocol& protocol) {
  return Rounds(catalog, requests, policy, protocol).run();
}

}  // namespace ym::sim::elastic
