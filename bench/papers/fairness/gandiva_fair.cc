#include <algorithm>

#include "papers/fairness/fractions.h"
#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {
namespace {

// GPUs / jobs, as if all had one GPU: together they may want more than there is, so that all fall behind alike.
Fractions equal_times(const Round& round) {
  const double share = static_cast<double>(round.gpus) / static_cast<double>(round.jobs.size());
  return Fractions(round.jobs.size(), std::min(1.0, share));
}

}  // namespace

std::unique_ptr<Policy> gandiva_fair() { return std::make_unique<ByFractions>(equal_times); }

}  // namespace ym::sim::fairness
