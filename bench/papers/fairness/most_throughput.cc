#include <algorithm>
#include <utility>

#include "papers/fairness/fractions.h"
#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {
namespace {

Fractions steps_first(const Round& round) {
  Order order;
  for (std::size_t i = 0; i < round.jobs.size(); ++i) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const Present& job = round.jobs[i];
    return std::pair(-job.steps_per_s / static_cast<double>(job.gpus), job.job);
  });
  Fractions fractions(round.jobs.size(), 0);
  auto free = static_cast<double>(round.gpus);
  for (const std::size_t i : order) {
    const auto gpus = static_cast<double>(round.jobs[i].gpus);
    fractions[i] = std::min(1.0, free / gpus);
    free -= fractions[i] * gpus;
  }
  return fractions;
}

}  // namespace

std::unique_ptr<Policy> most_throughput() { return std::make_unique<ByFractions>(steps_first); }

}  // namespace ym::sim::fairness
