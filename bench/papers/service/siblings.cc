#include "papers/service/siblings.h"

#include <algorithm>

namespace ym::sim::service {
namespace {

// 1 min, 10 min, 1 h, 6 h, 1 day.
constexpr std::array<Micros, 5> kGapLimits{60 * kSecond, 600 * kSecond, 3600 * kSecond, 21'600 * kSecond,
                                           86'400 * kSecond};
// Shares of alike pairs as measured on the traces that the table is of, so that its undeclared rows are a little in
// favour of ours; they are learned on from here.
constexpr std::array<double, kGapLimits.size() + 1> kPriorShare{.45, .22, .13, .07, .03, .02};
constexpr double kMostChance = 0.95;

}  // namespace

std::size_t Alikeness::gap_class(Micros gap_us) {
  static_assert(kGaps == kPriorShare.size());
  std::size_t number = 0;
  while (number < kGapLimits.size() && gap_us >= kGapLimits[number]) ++number;
  return number;
}

void Alikeness::add_pair(Micros gap_us, Micros run_us, Micros other_run_us) {
  const auto [less, more] = std::minmax({static_cast<double>(run_us), static_cast<double>(other_run_us)});
  const std::size_t gap = gap_class(gap_us);
  pairs_[gap] += 1;
  if (more <= (1 + options_.alike_within) * less) alike_[gap] += 1;
}

double Alikeness::chance(Micros gap_us) const {
  const std::size_t gap = gap_class(gap_us);
  const double share = (alike_[gap] + options_.prior_pairs * kPriorShare[gap]) / (pairs_[gap] + options_.prior_pairs);
  return std::clamp(share - options_.by_chance, 0.0, kMostChance);
}

Masses with_siblings(const Masses& masses, std::span<const EndedSibling> siblings, const SiblingOptions& options) {
  double total = 0, none = 1;
  for (const EndedSibling& sibling : siblings) {
    total += sibling.chance;
    none *= 1 - sibling.chance;
  }
  if (total <= 0) return masses;
  const double some = 1 - none;
  Masses mixed = masses;
  for (double& mass : mixed) mass *= 1 - some;
  for (const EndedSibling& sibling : siblings) {
    const double mass = some * sibling.chance / total;
    mixed[sibling.octave] += mass * (1 - 2 * options.beside);
    mixed[sibling.octave == 0 ? 0 : sibling.octave - 1] += mass * options.beside;
    mixed[std::min(sibling.octave + 1, kOctaves - 1)] += mass * options.beside;
  }
  return mixed;
}

}  // namespace ym::sim::service
