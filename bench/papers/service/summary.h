// What came of a run, over all jobs.
#pragma once

#include <span>

#include "papers/service/job.h"

namespace ym::sim::service {

struct Summary {
  double mean_completion_s = 0;  // from submission, as all completions here
  double p99_completion_s = 0;   // of n sorted ones that at 0.99 n, counted from 0
  double makespan_s = 0;         // the last completion, from 0
  double moves_per_job = 0;      // starts but for the first
  Count most_moves = 0;
  double mean_first_wait_s = 0;  // until the first start
  double longest_first_wait_s = 0;
  double p99_wait_s = 0;  // completion time less run time, as the three below
  double longest_wait_s = 0;
  double largest_mean_wait_s = 0;  // of the jobs with most GPUs
  double largest_longest_wait_s = 0;
};

// All 0 of no jobs. Precondition: all have ended.
Summary summarise(std::span<const Job> jobs, std::span<const Outcome> outcomes);

}  // namespace ym::sim::service
