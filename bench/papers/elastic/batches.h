// The batch of a data-parallel job: how many samples each replica takes at a time, and how often it does so before the
// gradients are put together.
//
// After Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep Learning", OSDI 2021.
#pragma once

#include <vector>

#include "papers/elastic/layout.h"

namespace ym::sim::elastic {

// In samples. Preconditions: least_local <= initial <= most, all positive.
struct BatchLimits {
  Count initial = 0;                      // of the whole job; efficiency is counted from it
  Count most = 0;                         // of the whole job
  Count least_local = 0, most_local = 0;  // of a replica at a time
};

struct Batch {
  Count local = 0;         // samples that a replica takes at a time
  Count accumulation = 0;  // how often it does so without putting gradients together

  Count total(Count gpus) const { return gpus * local * (accumulation + 1); }
  bool operator==(const Batch&) const = default;
};

// For a job that always trains with `total` samples. One replica with more than the initial batch accumulates at least
// once, as otherwise it could not tell how noisy its gradients are.
Batch fixed_batch(const BatchLimits& limits, Count gpus, Count total);
// All that is tried for a job which may choose: 50 totals, geometric from the least to the largest, without repetition.
std::vector<Batch> candidate_batches(const BatchLimits& limits, Count gpus);

}  // namespace ym::sim::elastic
