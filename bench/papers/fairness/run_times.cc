#include "papers/fairness/run_times.h"

#include <algorithm>
#include <iterator>

namespace ym::sim::fairness {
namespace {

constexpr std::ptrdiff_t kEnough = 3;

}  // namespace

void RunTimes::end(Micros run_us) { ended_us_.insert(std::ranges::upper_bound(ended_us_, run_us), run_us); }

Micros RunTimes::left_us(Micros done_us, Micros least_us) const {
  const auto longer = std::ranges::upper_bound(ended_us_, done_us);
  const auto count = std::distance(longer, ended_us_.end());
  if (count < kEnough) return std::max(done_us, least_us);
  Micros left_us = 0;
  for (auto one = longer; one != ended_us_.end(); ++one) left_us += *one - done_us;
  return left_us / count;
}

}  // namespace ym::sim::fairness
