#include "papers/queueing/deadline_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "papers/queueing/deadline_bound.h"
#include "papers/queueing/deadline_policies.h"
#include "papers/queueing/traces.h"
#include "papers/service/traces.h"

namespace ym::sim::queueing {
namespace {

using Rows = std::vector<DeadlineTableRow>;

JobsWithDeadlines thinned(const JobsWithDeadlines& read, Count every) {
  JobsWithDeadlines some;
  for (JobNumber job = 0; job < read.jobs.size(); job += static_cast<JobNumber>(every)) {
    some.jobs.push_back(read.jobs[job]);
    some.deadlines.push_back(read.deadlines[job]);
  }
  return some;
}

class DeadlineTableMaker {
 public:
  DeadlineTableMaker(const DeadlineTableOptions& options, const std::function<void(const DeadlineTableRow&)>& each,
                     std::vector<DeadlinePolicy> policies)
      : options_(options), each_(each), policies_(std::move(policies)) {}

  Result<void> add(const std::string& trace, const JobsWithDeadlines& read) {
    const Count every = options_.engine_every;
    if (auto done = add_rows(trace, read, options_.shape, every > 1); !done || every <= 1 || !has_engine()) return done;
    const ClusterShape shape{.nodes = options_.shape.nodes / every, .gpus_per_node = options_.shape.gpus_per_node};
    return add_rows(fmt::format("{}/{}", trace, every), thinned(read, every), shape, false);
  }

  Rows rows() { return std::move(rows_); }

 private:
  bool has_engine() const { return std::ranges::any_of(policies_, &DeadlinePolicy::is_engine); }

  Result<void> add_rows(const std::string& trace, const JobsWithDeadlines& read, const ClusterShape& shape,
                        bool without_engine) {
    const Count least = least_missed(read.jobs, read.deadlines, {.gpus = shape.gpus()});
    for (const DeadlinePolicy& policy : policies_) {
      if (policy.is_engine && without_engine) continue;
      const auto outcomes = policy.run(read.jobs, read.deadlines, shape);
      if (!outcomes) return std::unexpected(outcomes.error());
      rows_.push_back({.trace = trace,
                       .policy = policy.name,
                       .left_out = read.left_out,
                       .figures = deadline_figures(read.jobs, read.deadlines, *outcomes),
                       .least_missed = least});
      if (each_) each_(rows_.back());
    }
    return {};
  }

  const DeadlineTableOptions& options_;
  const std::function<void(const DeadlineTableRow&)>& each_;
  std::vector<DeadlinePolicy> policies_;
  Rows rows_;
};

}  // namespace

DeadlineFigures deadline_figures(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                                 std::span<const Outcome> outcomes) {
  DeadlineFigures figures;
  double kept = 0, all = 0, completions_s = 0;
  Count stops = 0;
  for (JobNumber job = 0; job < jobs.size(); ++job) {
    const double value = value_at(deadlines[job], outcomes[job].end_us);
    stops += outcomes[job].moves();
    if (deadlines[job].kind == JobKind::strict) {
      figures.strict += 1;
      figures.missed += value == 0;
    } else if (deadlines[job].kind == JobKind::soft) {
      figures.soft += 1;
      kept += value;
      all += deadlines[job].steps.front().value;
    } else {
      figures.best_effort += 1;
      completions_s += seconds_of(outcomes[job].end_us - jobs[job].submit_us);
    }
  }
  if (all > 0) figures.soft_value = kept / all;
  if (figures.best_effort > 0)
    figures.best_effort_completion_s = completions_s / static_cast<double>(figures.best_effort);
  if (!jobs.empty()) figures.stops_per_job = static_cast<double>(stops) / static_cast<double>(jobs.size());
  return figures;
}

Result<Rows> deadline_table(const DeadlineTableOptions& options,
                            const std::function<void(const DeadlineTableRow&)>& each) {
  auto policies = deadline_policies(options.policies);
  if (!policies) return std::unexpected(policies.error());
  DeadlineTableMaker maker(options, each, std::move(*policies));
  for (const std::string& trace : options.traces) {
    const std::string name = "trace_job_Philly_" + trace;
    const auto path = service::table_path(options.folder, name);
    if (!path) return fail(ErrorCode::not_found, fmt::format("there is no {}.csv.gz in {}", name, options.folder));
    const auto read = read_chronus(*path);
    if (!read) return std::unexpected(read.error());
    if (auto done = maker.add(trace, *read); !done) return std::unexpected(done.error());
  }
  return maker.rows();
}

std::string deadline_header() {
  return fmt::format("{:<11}{:<27}{:>10}{:>8}{:>8}{:>9}{:>8}{:>8}{:>12}{:>13}{:>15}{:>7}", "trace", "policy",
                     "published", "strict", "missed", "share, %", "floor", "soft", "value, %", "best effort",
                     "completion, s", "stops");
}

std::string to_text(const DeadlineTableRow& row) {
  const DeadlineFigures& figures = row.figures;
  const std::string value = figures.soft == 0 ? "-" : fmt::format("{:.2f}", 100 * figures.soft_value);
  const std::string completion =
      figures.best_effort == 0 ? "-" : fmt::format("{:.0f}", figures.best_effort_completion_s);
  return fmt::format("{:<11}{:<27}{:>10}{:>8}{:>8}{:>9.2f}{:>8}{:>8}{:>12}{:>13}{:>15}{:>7.2f}", row.trace, row.policy,
                     "-", figures.strict, figures.missed, 100 * figures.missed_share(), row.least_missed, figures.soft,
                     value, figures.best_effort, completion, figures.stops_per_job);
}

}  // namespace ym::sim::queueing
