// Learns a market while a job runs, and says what to believe of it.
//
// Evidence of the same zones from before counts for so many ends at most, and the common rates (spells.h) for a few,
// so that each belief begins near what is known of all markets and follows what is seen of this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "papers/spot/belief.h"
#include "papers/spot/observations.h"

namespace ym::sim::spot {

struct EstimatorOptions {
  std::int64_t prior_ends = 5;    // that the common rates count for
  std::int64_t learnt_ends = 20;  // that what was seen before may count for at most
  // Of kCertain, in each step of kStepMs (Belief::never_back), where there are several zones; one zone: 0. It keeps
  // some slack for times in which the market is not what it was.
  std::int32_t never_back = 100;
};

class Estimator {
 public:
  // `before`: of the same zones, or nothing seen of as many.
  Estimator(Observations before, const EstimatorOptions& options);

  // In each tick.
  void see(const View& view);

  // The zone that is up and, as far as is known, the least likely to be lost next; the first of equals.
  std::optional<std::size_t> steadiest_zone(const View& view) const;
  // For a job in that zone, or, with none, for one that has nowhere to go now.
  Belief belief(std::optional<std::size_t> zone, const Gang& gang) const;
  // The state of that belief's chain in which the market is. Precondition: something was seen.
  std::size_t state(std::optional<std::size_t> zone) const;

 private:
  Evidence weighed(Evidence before, const Evidence& now) const;
  Evidence ends_of_zero() const;
  Evidence ends_of_ample(std::size_t zone) const;
  Evidence ends_of_ample() const;
  std::int64_t move_chance() const;
  std::int64_t loss_rate(std::size_t zone) const;

  EstimatorOptions options_;
  Observations before_, now_;
};

}  // namespace ym::sim::spot
