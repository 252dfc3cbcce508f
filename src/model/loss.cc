#include "model/loss.h"

#include <algorithm>
#include <limits>

namespace ym {
namespace {

Duration between(Instant from, Instant to) { return std::max(Duration{}, to - from); }

Duration unsaved(const Attempt& attempt, const Checkpoint* from, Instant heard) {
  const bool own = from != nullptr && from->attempt == attempt.number;
  const Instant kept_until = own ? std::max(*attempt.started_at, from->durable_at) : *attempt.started_at;
  return between(kept_until, work_ended(attempt, heard));
}

}  // namespace

Instant work_ended(const Attempt& attempt, Instant heard) {
  Instant last;
  for (const TaskStatus& task : attempt.tasks)
    if (task.exit) last = std::max(last, task.exit->at);
  const Instant began = attempt.started_at.value_or(attempt.admitted_at);
  return last > began ? std::min(last, heard) : heard;
}

std::int64_t gpu_ms_lost(const Job& job, const Attempt& attempt, const Checkpoint* from, Duration restart,
                         Instant heard) {
  const __int128 gpus = job.spec->total(std::ssize(attempt.placement))[ResourceKind::gpus];
  const Duration time = attempt.started_at
                            ? unsaved(attempt, from, heard) + restart
                            : std::min(restart, between(attempt.admitted_at, work_ended(attempt, heard)));
  const __int128 lost = gpus * time.ms / kMilli;
  return static_cast<std::int64_t>(std::min<__int128>(lost, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace ym
