#include "papers/elastic/batches.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ym::sim::elastic {
namespace {

constexpr Count kCandidates = 50;
// What a quotient may be above a whole number without being rounded up.
constexpr double kSlack = 1e-8;

Count rounded_up(double value) { return static_cast<Count>(std::ceil(value - kSlack)); }

Count within_most(const BatchLimits& limits, Count gpus, const Batch& batch) {
  return std::min(batch.local, limits.most / (gpus * (batch.accumulation + 1)));
}

std::optional<Batch> batch_of(const BatchLimits& limits, Count gpus, double per_replica) {
  Batch batch{.local = 0, .accumulation = rounded_up(per_replica / limits.most_local) - 1};
  if (gpus == 1 && per_replica > limits.initial + kSlack) batch.accumulation = std::max(batch.accumulation, Count{1});
  batch.local = rounded_up(per_replica / (batch.accumulation + 1));
  if (batch.local < limits.least_local || batch.local > limits.most_local) return std::nullopt;
  batch.local = within_most(limits, gpus, batch);
  if (batch.total(gpus) < limits.initial) return std::nullopt;
  return batch;
}

}  // namespace

Batch fixed_batch(const BatchLimits& limits, Count gpus, Count total) {
  const Count per_replica = rounded_up(static_cast<double>(total) / gpus);
  Batch batch{.local = 0, .accumulation = rounded_up(static_cast<double>(per_replica) / limits.most_local) - 1};
  if (gpus == 1 && total > limits.initial) batch.accumulation = std::max(batch.accumulation, Count{1});
  batch.local = rounded_up(static_cast<double>(per_replica) / (batch.accumulation + 1));
  batch.local = within_most(limits, gpus, batch);
  return batch;
}

std::vector<Batch> candidate_batches(const BatchLimits& limits, Count gpus) {
  std::vector<Batch> batches;
  const double least = std::max(limits.initial, limits.least_local * gpus);
  if (least > limits.most) return batches;
  for (Count i = 0; i < kCandidates; ++i) {
    const double total = least * std::pow(limits.most / least, i / (kCandidates - 1.0));
    const auto batch = batch_of(limits, gpus, total / gpus);
    if (batch && (batches.empty() || batches.back() != *batch)) batches.push_back(*batch);
  }
  return batches;
}

}  // namespace ym::sim::elastic
