// Whom to run: the jobs that together end soonest, by count of GPUs.
//
// Part of the policy's core: a pure function of its arguments, and of the whole pool. Where jobs lie is not asked: a
// choice made node by node leaves jobs of little worth beside better ones, where none who waits can take their place.
#pragma once

#include <span>
#include <vector>

#include "papers/service/job.h"

namespace ym::sim::service {

struct Candidate {
  JobNumber job = 0;
  Count gpus = 1;
  double rate = 0;  // completions per second
};

struct ChoiceOptions {
  Count gpus = ClusterShape{}.gpus();
  // Of those that did not fit, so many are tried against those that did. Only a limit on work.
  std::size_t most_tried = 64;
};

// By candidate, whether it is to run. A greedy knapsack of rates: most completions per second and GPU first (of equal
// ones the smaller number), passing over what does not fit. Then each that was passed over takes the place of the least
// urgent ones who have to go for it, if its rate is more than all of theirs, and what is left is filled as before.
std::vector<bool> choose(std::span<const Candidate> candidates, const ChoiceOptions& options = {});

}  // namespace ym::sim::service
