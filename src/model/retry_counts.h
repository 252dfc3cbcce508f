// The counter of a job for each cause of a retry.
#pragma once

#include "model/job.h"

namespace ym {

// `Counts` is RetryCounts, const or not.
template <class Counts>
auto& count_of(Counts& counts, RetryCause cause) {
  switch (cause) {
    case RetryCause::infra: return counts.infra;
    case RetryCause::error: return counts.error;
    case RetryCause::launch: return counts.launch;
    case RetryCause::preempted: break;
  }
  return counts.preempted;
}

}  // namespace ym
