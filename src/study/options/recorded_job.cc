#include "study/options/recorded_job.h"

#include <algorithm>

namespace ym {

// Lost GPU time divided by the attempt's GPUs is lost run time.
void RecordedJob::add_attempt(Duration held, std::int64_t gpus, double lost_gpu_ms) {
  const auto lost_ms = static_cast<std::int64_t>(lost_gpu_ms / static_cast<double>(std::max<std::int64_t>(1, gpus)));
  run_time = run_time + Duration{std::max<std::int64_t>(0, held.ms - lost_ms)};
}

void RecordedJob::ends_as(JobState state) {
  failed = state == JobState::failed;
  // The true run time is unknown. It is longer than the limit, so the job times out in the simulation too.
  if (state == JobState::timed_out && spec.time_limit) run_time = *spec.time_limit + seconds(1);
}

}  // namespace ym
