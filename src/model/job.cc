#include "model/job.h"

#include <algorithm>
#include <tuple>

namespace ym {

bool Job::operator==(const Job& o) const {
  const auto fields = [](const Job& j) {
    return std::tie(j.id, j.spec_id, j.group, j.group_index, j.name, j.project, j.owner, j.queue, j.priority, j.state,
                    j.pending, j.message, j.cancel_requested, j.submitted_at, j.waits_since, j.arrived_at, j.started_at,
                    j.ended_at, j.not_before, j.attempts, j.retries, j.nomination, j.checkpoints, j.preempted_at,
                    j.attained_gpu_ms, j.predicted);
  };
  return fields(*this) == fields(o) && (spec == o.spec || (spec && o.spec && *spec == *o.spec));
}

std::int64_t Attempt::gpu_ms_until(Instant then, const JobSpec& spec) const {
  if (!started_at || then <= *started_at) return 0;
  // In a job without GPUs each task counts as one GPU.
  const std::int64_t gpus = spec.total(std::ssize(placement))[ResourceKind::gpus];
  const std::int64_t gpus_milli = gpus == 0 ? kMilli * std::ssize(placement) : gpus;
  return static_cast<std::int64_t>(static_cast<__int128>((then - *started_at).ms) * gpus_milli / kMilli);
}

}  // namespace ym
