#include "papers/elastic/remaining.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ym::sim::elastic {
namespace {

Remaining known_remaining(const SizeTable& table, const Position& position) {
  const std::size_t e = position.epoch;
  const double left = table.progress_at[e + 1] - position.progress;
  Remaining remaining{.work_gpu_s = left * table.work_per_progress[e] + table.work_from[e + 1],
                      .least_s = std::numeric_limits<double>::infinity()};
  for (const Count gpus : table.sizes)
    remaining.least_s = std::min(remaining.least_s, left / table.rate[gpus][e] + table.tail_s[gpus][e + 1]);
  return remaining;
}

double work_done(const SizeTable& table, const Position& position) {
  const std::size_t e = position.epoch;
  return table.work_from[0] - table.work_from[e] +
         (position.progress - table.progress_at[e]) * table.work_per_progress[e];
}

// Work that is done in a second at the size at which most is.
double best_speed(const SizeTable& table, std::size_t epoch) {
  double best = 0;
  for (const Count gpus : table.sizes) best = std::max(best, table.rate[gpus][epoch] * table.work_per_progress[epoch]);
  return best;
}

double chance_to_outlive(double own_gpu_s, double other_gpu_s, double sharpness) {
  return 1 / (1 + std::pow(own_gpu_s / other_gpu_s, sharpness));
}

double jobs_behind(std::span<const Remaining> jobs, std::size_t job, double sharpness) {
  double behind = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (i == job) continue;
    const double own = jobs[job].work_gpu_s, other = jobs[i].work_gpu_s;
    if (sharpness > 0) behind += chance_to_outlive(own, other, sharpness);
    else behind += other > own || (other == own && i > job) ? 1 : 0;
  }
  return behind;
}

}  // namespace

Remaining remaining_of(const SizeTable& table, const Position& position, const EstimateOptions& options,
                       std::optional<double> typical_progress) {
  if (options.knowledge == Knowledge::known) return known_remaining(table, position);
  Remaining remaining{.work_gpu_s = options.unseen_gpu_s + options.per_done * work_done(table, position)};
  if (options.knowledge == Knowledge::typical && typical_progress) {
    const double left = *typical_progress - position.progress;
    remaining.work_gpu_s = std::max(options.least_gpu_s, left * table.work_per_progress[position.epoch]);
  }
  remaining.least_s = remaining.work_gpu_s / best_speed(table, position.epoch);
  return remaining;
}

std::vector<double> weights(std::span<const Remaining> jobs, const WeightOptions& options) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    weights.push_back(jobs[i].least_s / jobs[i].work_gpu_s +
                      jobs_behind(jobs, i, options.rank_sharpness) / options.gpus);
  return weights;
}

}  // namespace ym::sim::elastic
