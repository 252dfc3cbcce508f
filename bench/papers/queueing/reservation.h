// The reservation that backfilling keeps: when the first job that waits finds room at the latest, and who may begin
// before it without making that later.
#pragma once

#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

class Reservation {
 public:
  // Precondition: `gpus` find no room now, but would in the empty cluster.
  Reservation(const RunningJobs& running, Count gpus);

  Micros at_us() const { return at_us_; }
  // Whether a job that lies there from now until then leaves the reservation as it is. If so, it counts from then on.
  bool admits(const Placement& placement, Micros end_us);

 private:
  bool may_fit(const Placement& freed) const;

  Nodes then_;  // when those that end by then have left
  Count gpus_;
  Micros at_us_ = 0;
};

}  // namespace ym::sim::queueing
