// Mean completion times below which no schedule comes that lets each job lie on as few nodes as can be and change its
// size when an epoch ends. Simple and loose; price_bound.h has a tighter one.
#pragma once

#include <vector>

#include "papers/elastic/catalog.h"

namespace ym::sim::elastic {

// What the epochs of an application need at least, each with its own best size of 1 to all GPUs.
struct LeastNeeds {
  std::vector<double> epoch_s;
  std::vector<double> epoch_gpu_s;

  double run_s() const;
  double work_gpu_s() const;
};
LeastNeeds least_needs(const Application& application, const Cluster& cluster = {});

// Means in seconds, from submission. Precondition of all: at least one request.
struct SimpleBounds {
  double isolated_s = 0;  // each job alone
  // Least GPU seconds on one machine as fast as all GPUs together, the job with least left first (Schrage 1968).
  double srpt_s = 0;
  // Mean times at which work is done on the same machine, the smallest job first, which no schedule makes smaller
  // (Goemans, 1997), and from there to the end of each job what it takes at least.
  double mean_busy_s = 0;

  // The larger of the first two, which is the bound that is usually given for these workloads.
  double isolated_or_srpt_s() const;
};
SimpleBounds simple_bounds(const Catalog& catalog, const std::vector<JobRequest>& requests,
                           const Cluster& cluster = {});

}  // namespace ym::sim::elastic
