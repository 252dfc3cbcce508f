// Submission: what a forecast gets about a job at its submit.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace ym::sim {

struct Submission {
  std::int64_t job = 0;  // a number that the caller chooses; unique to the job
  Instant at;
  std::string queue;  // or virtual cluster: any group of similar jobs
  std::int64_t gpus = 1;
};

}  // namespace ym::sim
