#include "papers/queueing/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "papers/only_named.h"
#include "papers/queueing/named_policies.h"
#include "papers/queueing/traces.h"
#include "papers/service/bounds.h"
#include "papers/service/traces.h"

namespace ym::sim::queueing {
namespace {

constexpr SizeClass kLarge{.least = 16};

bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
}

// Several virtual clusters as one list, which is not by submission.
struct Together {
  std::vector<Job> jobs;
  std::vector<Outcome> outcomes;
  std::size_t clusters = 0;
  double bounds_s = 0;  // x jobs
  Count gpus = 0;
};

class TableMaker {
 public:
  TableMaker(const TableOptions& options, const std::function<void(const TableRow&)>& each)
      : options_(options), each_(each) {}

  Result<std::vector<TableRow>> make(const std::vector<VirtualCluster>& clusters,
                                     const std::vector<NamedPolicy>& policies) {
    for (const VirtualCluster& cluster : clusters) {
      const double bound_s = service::lower_bounds(cluster.jobs, cluster.shape.gpus()).mean_completion_s;
      for (const NamedPolicy& policy : policies) {
        if (policy.is_engine && !is_wanted(options_.engine_clusters, cluster.name)) continue;
        const auto outcomes = policy.run(cluster.jobs, cluster.shape);
        if (!outcomes) return std::unexpected(outcomes.error());
        add(cluster.name, policy.name, bound_s, cluster.shape.gpus(), cluster.jobs, *outcomes);
        add_to(all_[policy.name], cluster, *outcomes, bound_s);
        if (is_wanted(options_.engine_clusters, cluster.name)) add_to(those_[policy.name], cluster, *outcomes, bound_s);
      }
    }
    add_together("all", policies, all_, clusters.size());
    const auto those = static_cast<std::size_t>(std::ranges::count_if(
        clusters, [&](const VirtualCluster& one) { return is_wanted(options_.engine_clusters, one.name); }));
    if (those > 0 && those < clusters.size()) add_together("those", policies, those_, those);
    return std::move(rows_);
  }

 private:
  static void add_to(Together& sum, const VirtualCluster& cluster, const std::vector<Outcome>& outcomes,
                     double bound_s) {
    sum.jobs.insert(sum.jobs.end(), cluster.jobs.begin(), cluster.jobs.end());
    sum.outcomes.insert(sum.outcomes.end(), outcomes.begin(), outcomes.end());
    sum.clusters += 1;
    sum.bounds_s += bound_s * static_cast<double>(cluster.jobs.size());
    sum.gpus += cluster.shape.gpus();
  }

  void add(const std::string& cluster, const std::string& policy, double bound_s, Count gpus, std::span<const Job> jobs,
           std::span<const Outcome> outcomes) {
    rows_.push_back({.cluster = cluster,
                     .policy = policy,
                     .gpus = gpus,
                     .figures = figures_of(jobs, outcomes),
                     .large = figures_of(jobs, outcomes, kLarge),
                     .bound_s = bound_s});
    if (each_) each_(rows_.back());
  }

  // Only of policies that were run in all of these.
  void add_together(const std::string& name, const std::vector<NamedPolicy>& policies,
                    const std::map<std::string, Together>& sums, std::size_t clusters) {
    for (const NamedPolicy& policy : policies) {
      const auto sum = sums.find(policy.name);
      if (sum == sums.end() || sum->second.clusters != clusters || clusters < 2) continue;
      const auto& [jobs, outcomes, count, bounds_s, gpus] = sum->second;
      add(name, policy.name, bounds_s / static_cast<double>(jobs.size()), gpus, jobs, outcomes);
    }
  }

  const TableOptions& options_;
  const std::function<void(const TableRow&)>& each_;
  std::map<std::string, Together> all_, those_;  // by policy
  std::vector<TableRow> rows_;
};

}  // namespace

Result<std::vector<TableRow>> queueing_table(const TableOptions& options,
                                             const std::function<void(const TableRow&)>& each) {
  const auto policies = only_named(named_policies(), options.policies, &NamedPolicy::name);
  if (!policies) return std::unexpected(policies.error());
  const auto path = service::table_path(options.folder, "philly");
  if (!path) return fail(ErrorCode::not_found, fmt::format("there is no philly.csv.gz in {}", options.folder));
  auto read = read_philly(*path, options.scale);
  if (!read) return std::unexpected(read.error());
  std::erase_if(read->clusters, [&](const VirtualCluster& one) { return !is_wanted(options.clusters, one.name); });
  return TableMaker(options, each).make(read->clusters, *policies);
}

std::string table_header() {
  return fmt::format("{:<9}{:<28}{:>7}{:>6}{:>10}{:>11}{:>10}{:>8}{:>11}{:>10}{:>10}{:>7}{:>11}{:>10}{:>7}", "cluster",
                     "policy", "jobs", "GPUs", "published", "mean, s", "bound, s", "x bound", "queueing", "p99",
                     "p99.9", ">= 16", "queueing", "p99.9", "stops");
}

std::string to_text(const TableRow& row) {
  const Figures &all = row.figures, &large = row.large;
  return fmt::format(
      "{:<9}{:<28}{:>7}{:>6}{:>10}{:>11.0f}{:>10.0f}{:>8.3f}{:>11.0f}{:>10.0f}{:>10.0f}{:>7}{:>11.0f}{:>10.0f}{:>7.2f}",
      row.cluster, row.policy, all.jobs, row.gpus, "-", all.mean_completion_s, row.bound_s, row.times_bound(),
      all.mean_queueing_s, all.p99_queueing_s, all.p999_queueing_s, large.jobs, large.mean_queueing_s,
      large.p999_queueing_s, all.stops_per_job);
}

}  // namespace ym::sim::queueing
