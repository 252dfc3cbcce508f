#include <algorithm>

#include "papers/fairness/fractions.h"
#include "papers/fairness/published_policies.h"

namespace ym::sim::fairness {
namespace {

// All end after the longest run time left, or after all work over all GPUs if that is longer.
Fractions in_proportion(const Round& round) {
  Micros longest_us = 0, work_us = 0;
  for (const Present& job : round.jobs) {
    longest_us = std::max(longest_us, job.left_us);
    work_us += job.left_us * job.gpus;
  }
  const double end_us =
      std::max(static_cast<double>(longest_us), static_cast<double>(work_us) / static_cast<double>(round.gpus));
  Fractions fractions;
  for (const Present& job : round.jobs) fractions.push_back(static_cast<double>(job.left_us) / end_us);
  return fractions;
}

}  // namespace

std::unique_ptr<Policy> ossp() { return std::make_unique<ByFractions>(in_proportion); }

}  // namespace ym::sim::fairness
