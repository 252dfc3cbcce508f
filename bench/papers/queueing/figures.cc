#include "papers/queueing/figures.h"

#include <algorithm>
#include <vector>

#include "base/assert.h"

namespace ym::sim::queueing {
namespace {

double mean_s(const std::vector<Micros>& sorted) {
  double sum_s = 0;
  for (const Micros one : sorted) sum_s += seconds_of(one);
  return sum_s / static_cast<double>(sorted.size());
}

// In thousandths, so that no rounding moves it.
double quantile_s(const std::vector<Micros>& sorted, std::size_t thousandths) {
  return seconds_of(sorted[sorted.size() * thousandths / 1000]);
}

}  // namespace

Figures figures_of(std::span<const Job> jobs, std::span<const Outcome> outcomes, const SizeClass& sizes) {
  std::vector<Micros> completions, waits;
  Count stops = 0;
  for (JobNumber i = 0; i < jobs.size(); ++i) {
    if (jobs[i].gpus < sizes.least || jobs[i].gpus > sizes.most) continue;
    YM_ASSERT(outcomes[i].end_us < kNever);
    completions.push_back(outcomes[i].end_us - jobs[i].submit_us);
    waits.push_back(completions.back() - jobs[i].work_us);
    stops += outcomes[i].moves();
  }
  if (completions.empty()) return {};
  std::ranges::sort(completions);
  std::ranges::sort(waits);
  return {.jobs = static_cast<Count>(completions.size()),
          .mean_completion_s = mean_s(completions),
          .p99_completion_s = quantile_s(completions, 990),
          .mean_queueing_s = mean_s(waits),
          .p99_queueing_s = quantile_s(waits, 990),
          .p999_queueing_s = quantile_s(waits, 999),
          .stops_per_job = static_cast<double>(stops) / static_cast<double>(completions.size())};
}

}  // namespace ym::sim::queueing
