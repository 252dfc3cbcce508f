// How long a job goes on of which nobody says it: learned from those that have ended.
//
// Part of the policy's core: it knows nothing of a simulation.
#pragma once

#include <vector>

#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

class RunTimes {
 public:
  void end(Micros run_us);
  // What those had left at that point that ran longer, on average. While they are fewer than three: as long again as it
  // has run, `least_us` at least.
  Micros left_us(Micros done_us, Micros least_us) const;

 private:
  std::vector<Micros> ended_us_;  // sorted
};

}  // namespace ym::sim::fairness
