// The two rules that others are compared with: Wu et al., "Can't Be Late: Optimizing Spot Instance Savings under
// Deadlines", USENIX NSDI 2024.
//
// Both keep a zone until it is lost, take the first one that is up, and end on demand for good once a job that is not
// on spot has slack for less than two starts.
#pragma once

#include "papers/spot/simulate.h"

namespace ym::sim::spot {

// Spot where there is some, else nothing.
class Greedy : public Policy {
 public:
  Place decide(const Job& job, const JobState& state, const View& view) override;

 private:
  bool to_the_end_ = false;  // on demand
};

// Keeps up with the pace at which work and time end together: below it on demand, above it on spot or idle. It leaves
// on demand for spot only, and only when it is ahead by two starts; of the readings that the description leaves open
// this one is nearest to the published figures, and the cheapest.
class UniformProgress : public Policy {
 public:
  Place decide(const Job& job, const JobState& state, const View& view) override;

 private:
  bool to_the_end_ = false;
};

}  // namespace ym::sim::spot
