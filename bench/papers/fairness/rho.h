// Finish-time fairness (Mahajan et al., "Themis", NSDI 2020): rho is the time a job took, from submission, over the
// time it would have taken with its share of the cluster, 1/N. A job is unfairly treated if rho is above 1.05.
//
// Which N, is told in two ways, and Shockwave's simulator computes both:
// - by the trace (the published figures): N is the number of jobs of the whole trace, so that the fair time is run time
//   x max(1, N / GPUs), whatever a job's GPUs and however many jobs are there with it;
// - by presence: N is the mean number of jobs that are there between submission and end of the job, itself included.
#pragma once

#include <span>

#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

inline constexpr double kUnfairAbove = 1.05;

struct Rhos {
  double worst = 0;
  double unfair_share = 0;  // of jobs; 0 to 1
};

// All 0 of no jobs. Precondition of both: all have ended.
Rhos rhos_by_trace(std::span<const Job> jobs, std::span<const Outcome> outcomes, Count gpus);
Rhos rhos_by_presence(std::span<const Job> jobs, std::span<const Outcome> outcomes, Count gpus);

// What no schedule can beat: the least worst rho by trace, to 1/1000, of one preemptive machine as fast as all GPUs,
// which runs what is due first (Jackson's rule: best there), and of every job alone.
double least_worst_rho(std::span<const Job> jobs, Count gpus);

}  // namespace ym::sim::fairness
