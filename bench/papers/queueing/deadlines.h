// Until when a job has to be done, and what it is worth by then.
#pragma once

#include <string_view>
#include <vector>

#include "papers/service/job.h"

namespace ym::sim::queueing {

struct DeadlineStep {
  service::Micros until_us = 0;  // absolute
  double value = 0;              // if it has ended by then; less than that of the step before
};

enum class JobKind { strict, soft, best_effort };

struct Deadlines {
  JobKind kind = JobKind::best_effort;
  std::vector<DeadlineStep> steps{};  // rising in time; one of a strict job, none of best effort
};

// What it is worth if it ends then: nothing after the last step, and nothing without one.
double value_at(const Deadlines& deadlines, service::Micros end_us);

}  // namespace ym::sim::queueing
