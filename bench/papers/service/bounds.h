// What no schedule can beat: least mean completion time and makespan of jobs of fixed size that share no GPU.
//
// The mean is bounded by the largest of
//   1. the mean run time;
//   2. the mean flow time of one machine as fast as all GPUs together under shortest remaining processing time, which
//      is best there (Schrage, 1968);
//   3. (sum of M - submission, + half of all run times) / jobs, M the mean busy times of that machine when the job with
//      the least GPU time goes first, preempting: a job ends at M + half its run time at the earliest, and that rule
//      makes the sum of M least (Goemans, Queyranne, Schulz, Skutella, Wang: "Single machine scheduling with release
//      dates", 2002).
#pragma once

#include <cstdint>
#include <span>

#include "papers/service/job.h"

namespace ym::sim::service {

struct BoundJob {
  Micros submit_us = 0;
  Micros run_us = 0;  // at least 1
  Count gpus = 0;     // at least 1, at most all
};

struct LowerBounds {
  double mean_run_s = 0;         // 1
  double srpt_s = 0;             // 2
  double busy_time_s = 0;        // 3
  double mean_completion_s = 0;  // the largest of these; from submission
  double makespan_s = 0;         // of the last completion, from 0
};

// In any order; all 0 of no jobs. Precondition: `gpus` x (last submission + all run times) is below 2^62 us.
LowerBounds lower_bounds(std::span<const BoundJob> jobs, Count gpus);
LowerBounds lower_bounds(std::span<const Job> jobs, Count gpus);

}  // namespace ym::sim::service
