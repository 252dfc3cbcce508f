// One job on one market under a policy.
#pragma once

#include <cstddef>

#include "papers/spot/job.h"
#include "papers/spot/market.h"

namespace ym::sim::spot {

// Decides for one run: it may remember what it saw of it.
class Policy {
 public:
  virtual ~Policy() = default;
  // Once a tick, from the submission to the end. A job whose spot zone went down is idle by then. Idle, on demand, or
  // on spot in a zone that is up.
  virtual Place decide(const Job& job, const JobState& state, const View& view) = 0;
};

// From the tick `start` on, until the work is done or the market ends; the latter is late, too.
Bill run(const Job& job, const Market& market, std::size_t start, Policy& policy);

}  // namespace ym::sim::spot
