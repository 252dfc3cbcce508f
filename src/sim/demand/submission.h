// Submission: what a forecast is told of a job when it comes.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace ym::sim {

struct Submission {
  std::int64_t job = 0;  // a number of the teller's own, of this job alone
  Instant at;
  std::string queue;  // or virtual cluster: whatever jobs share that are alike
  std::int64_t gpus = 1;
};

}  // namespace ym::sim
