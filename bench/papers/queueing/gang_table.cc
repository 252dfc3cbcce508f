#include "papers/queueing/gang_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "papers/only_named.h"
#include "papers/queueing/named_policies.h"
#include "papers/queueing/traces.h"
#include "papers/service/bounds.h"
#include "papers/service/traces.h"

namespace ym::sim::queueing {
namespace {

constexpr const char* kFile = "kalos_completed_train_jobs";

double load_of(std::span<const Job> jobs, const ClusterShape& shape) {
  double gpu_s = 0;
  for (const Job& job : jobs) gpu_s += seconds_of(job.work_us) * static_cast<double>(job.gpus);
  const double span_s = seconds_of(jobs.back().submit_us - jobs.front().submit_us);
  return span_s > 0 ? gpu_s / span_s / static_cast<double>(shape.gpus()) : 0;
}

GangTableRow row_of(std::span<const Job> jobs, std::span<const Outcome> outcomes, const std::string& policy) {
  GangTableRow row{.policy = policy, .all = figures_of(jobs, outcomes), .by_class = {}};
  for (std::size_t i = 0; i < kGangClasses.size(); ++i)
    row.by_class[i] = figures_of(jobs, outcomes, kGangClasses[i].sizes);
  return row;
}

Result<std::vector<Job>> read_gangs(const std::string& path, Count faster, const ClusterShape& shape) {
  auto jobs = read_kalos(path, faster);
  if (!jobs) return jobs;
  if (jobs->empty()) return fail(ErrorCode::invalid, fmt::format("{} has no jobs", path));
  for (const Job& job : *jobs)
    if (job.gpus > shape.gpus())
      return fail(ErrorCode::invalid, fmt::format("{}:{}: {} GPUs are more than there are", path, job.id, job.gpus));
  return jobs;
}

}  // namespace

Result<std::vector<GangTableRow>> gang_table(const GangTableOptions& options,
                                             const std::function<void(const GangTableRow&)>& each) {
  const auto policies = only_named(named_policies(), options.policies, &NamedPolicy::name);
  if (!policies) return std::unexpected(policies.error());
  const auto path = service::table_path(options.folder, kFile);
  if (!path) return fail(ErrorCode::not_found, fmt::format("there is no {}.csv in {}", kFile, options.folder));
  std::vector<GangTableRow> rows;
  for (const Count faster : options.faster) {
    const auto jobs = read_gangs(*path, faster, options.shape);
    if (!jobs) return std::unexpected(jobs.error());
    for (const NamedPolicy& policy : *policies) {
      const auto outcomes = policy.run(*jobs, options.shape);
      if (!outcomes) return std::unexpected(outcomes.error());
      rows.push_back(row_of(*jobs, *outcomes, policy.name));
      rows.back().faster = faster;
      rows.back().load = load_of(*jobs, options.shape);
      rows.back().bound_s = service::lower_bounds(*jobs, options.shape.gpus()).mean_completion_s;
      if (each) each(rows.back());
    }
  }
  return rows;
}

std::string gang_header() {
  std::string line = fmt::format("{:<7}{:>6}  {:<27}{:>10}{:>9}{:>9}{:>8}{:>9}{:>9}{:>6}", "faster", "load", "policy",
                                 "published", "mean, s", "bound, s", "x bound", "queueing", "p99", "stops");
  for (const GangClass& one : kGangClasses) line += fmt::format("{:>9}{:>9}", one.title, "p99");
  return line;
}

std::string to_text(const GangTableRow& row) {
  std::string line =
      fmt::format("{:<7}{:>6.3f}  {:<27}{:>10}{:>9.0f}{:>9.0f}{:>8.3f}{:>9.0f}{:>9.0f}{:>6.2f}", row.faster, row.load,
                  row.policy, "-", row.all.mean_completion_s, row.bound_s, row.times_bound(), row.all.mean_queueing_s,
                  row.all.p99_queueing_s, row.all.stops_per_job);
  for (const Figures& one : row.by_class)
    line += fmt::format("{:>9.0f}{:>9.0f}", one.mean_queueing_s, one.p99_queueing_s);
  return line;
}

}  // namespace ym::sim::queueing
