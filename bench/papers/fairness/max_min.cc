#include "papers/fairness/fractions.h"
#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {

std::unique_ptr<Policy> max_min() {
  return std::make_unique<ByFractions>(
      [](const Round& round) { return level(round, std::vector<double>(round.jobs.size(), 1)); });
}

}  // namespace ym::sim::fairness
