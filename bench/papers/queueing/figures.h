// What came of a run: how long jobs took and how long they waited, those of many GPUs apart.
#pragma once

#include <span>

#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

// Queueing is completion time less run time, so that it holds what stops cost. A quantile q of n values is that at q n
// of them sorted, counted from 0.
struct Figures {
  Count jobs = 0;
  double mean_completion_s = 0;  // from submission
  double p99_completion_s = 0;
  double mean_queueing_s = 0, p99_queueing_s = 0, p999_queueing_s = 0;
  double stops_per_job = 0;
};

// Of the jobs of `least` to `most` GPUs; all 0 if there are none. Precondition: all have ended.
struct SizeClass {
  Count least = 1, most = kNever;
};
Figures figures_of(std::span<const Job> jobs, std::span<const Outcome> outcomes, const SizeClass& sizes = {});

}  // namespace ym::sim::queueing
