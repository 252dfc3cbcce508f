#include "study/options/recorded_job.h"

#include <algorithm>

namespace ym {

// Lost GPU time divided by the attempt's GPUs, as the loss counts them (model/loss.h), is lost run time.
void RecordedJob::add_attempt(Duration held, std::int64_t tasks, double lost_gpu_ms) {
  const auto gpus_milli = spec.total(tasks)[ResourceKind::gpus];
  const auto lost_ms =
      gpus_milli > 0 ? static_cast<std::int64_t>(lost_gpu_ms * kMilli / static_cast<double>(gpus_milli)) : 0;
  run_time = run_time + Duration{std::max<std::int64_t>(0, held.ms - lost_ms)};
}

void RecordedJob::ends_as(JobState state) {
  failed = state == JobState::failed;
  // The true run time is unknown. It is longer than the limit, so the job times out in the simulation too. After a
  // preemption, the attempts together may have run for longer than that.
  if (state == JobState::timed_out && spec.time_limit) run_time = std::max(run_time, *spec.time_limit) + seconds(1);
}

}  // namespace ym
