// The policies that Shockwave was compared with, and Shockwave, as far as they can be had with fixed run times. They
// know all run times.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

// OSSP: all end together, as soon as that can be: fractions in proportion to run time left. (Open shop scheduling, in
// Gavel's form: "minimise makespan".)
std::unique_ptr<Policy> ossp();

// Themis (Mahajan et al., NSDI 2020), in Gavel's form: fractions such that the worst projected rho is least, the fair
// time being reckoned with the jobs that were there.
std::unique_ptr<Policy> themis();

// Gavel's default, max-min: equal GPU time for all, and what some cannot use to the others.
std::unique_ptr<Policy> max_min();

// Gandiva-Fair (Chaudhary et al., EuroSys 2020), as compared there: equal time for all, whatever their GPUs; a gang so
// gets more GPU time.
std::unique_ptr<Policy> gandiva_fair();

// AlloX (Le et al., EuroSys 2020): least sum of completion times by matching, which among equal GPUs is shortest first.
// A job of one GPU that has started is not stopped.
std::unique_ptr<Policy> allox();

// MST, maximum sum of throughputs: most steps per second and GPU first, whatever a step is worth.
std::unique_ptr<Policy> most_throughput();

struct ShockwaveOptions {
  Count window = 20;              // rounds that are planned
  double makespan_weight = 1e-3;  // of the longest run time left after the window, s
  double unfair_power = 12;       // a job whose projected rho is above 1 weighs rho to this power
  double last_round_power = 100;  // the same of a job that could end in this round
};

// Shockwave (Zheng et al., NSDI 2023): a plan for a window of rounds that makes the sum of logarithms of progress large
// (Nash's social welfare; weighted for jobs that are about to become unfair) and the longest time left short.
std::unique_ptr<Policy> shockwave(const ShockwaveOptions& options = {});

struct PublishedPolicy {
  std::string_view name;       // here
  std::string_view published;  // in the published table
  std::unique_ptr<Policy> (*make)() = nullptr;
};

// As in the table of the paper.
std::vector<PublishedPolicy> published_policies();

}  // namespace ym::sim::fairness
