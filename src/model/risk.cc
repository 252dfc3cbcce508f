#include "model/risk.h"

#include <algorithm>

namespace ym {

std::optional<Instant> saved_until(const Job& job, const Attempt& attempt) {
  auto saved = attempt.started_at;
  for (const Checkpoint& checkpoint : job.checkpoints)
    if (saved && checkpoint.attempt == attempt.number) saved = std::max(*saved, checkpoint.durable_at);
  return saved;
}

std::int64_t gpu_ms_at_risk(const Job& job, const Attempt& attempt, Instant now) {
  const auto saved = saved_until(job, attempt);
  if (!saved || now <= *saved) return 0;
  const __int128 gpus = job.spec->total(std::ssize(attempt.placement))[ResourceKind::gpus];
  const __int128 lost = gpus * (now - *saved).ms / 1000;
  return static_cast<std::int64_t>(std::min<__int128>(lost, INT64_MAX));
}

}  // namespace ym
