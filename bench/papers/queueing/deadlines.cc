#include "papers/queueing/deadlines.h"

namespace ym::sim::queueing {

double value_at(const Deadlines& deadlines, service::Micros end_us) {
  for (const DeadlineStep& step : deadlines.steps)
    if (end_us <= step.until_us) return step.value;
  return 0;
}

}  // namespace ym::sim::queueing
