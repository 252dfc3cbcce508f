#include "papers/service/summary.h"

#include <algorithm>
#include <vector>

#include "base/assert.h"

namespace ym::sim::service {
namespace {

template <class Value>
Value percentile_99(std::vector<Value> values) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(0.99 * static_cast<double>(values.size()))];
}

double wait_s(const Job& job, const Outcome& outcome) {
  return seconds_of(outcome.end_us - job.submit_us - job.work_us);
}

void add_largest(Summary& summary, std::span<const Job> jobs, std::span<const Outcome> outcomes) {
  const Count most_gpus = std::ranges::max(jobs, {}, &Job::gpus).gpus;
  Count largest = 0;
  for (JobNumber i = 0; i < jobs.size(); ++i) {
    if (jobs[i].gpus < most_gpus) continue;
    const double wait = wait_s(jobs[i], outcomes[i]);
    ++largest;
    summary.largest_mean_wait_s += wait;
    summary.largest_longest_wait_s = std::max(summary.largest_longest_wait_s, wait);
  }
  summary.largest_mean_wait_s /= static_cast<double>(largest);
}

}  // namespace

Summary summarise(std::span<const Job> jobs, std::span<const Outcome> outcomes) {
  Summary summary;
  if (jobs.empty()) return summary;
  const auto all = static_cast<double>(jobs.size());
  std::vector<Micros> completions_us;
  std::vector<double> waits_s;
  for (JobNumber i = 0; i < jobs.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    YM_ASSERT(outcome.end_us < kNever);
    completions_us.push_back(outcome.end_us - jobs[i].submit_us);
    waits_s.push_back(wait_s(jobs[i], outcome));
    const double first_wait_s = seconds_of(outcome.first_start_us - jobs[i].submit_us);
    summary.mean_completion_s += seconds_of(completions_us.back()) / all;
    summary.makespan_s = std::max(summary.makespan_s, seconds_of(outcome.end_us));
    summary.moves_per_job += static_cast<double>(outcome.moves()) / all;
    summary.most_moves = std::max(summary.most_moves, outcome.moves());
    summary.mean_first_wait_s += first_wait_s / all;
    summary.longest_first_wait_s = std::max(summary.longest_first_wait_s, first_wait_s);
    summary.longest_wait_s = std::max(summary.longest_wait_s, waits_s.back());
  }
  summary.p99_completion_s = seconds_of(percentile_99(completions_us));
  summary.p99_wait_s = percentile_99(waits_s);
  add_largest(summary, jobs, outcomes);
  return summary;
}

}  // namespace ym::sim::service
