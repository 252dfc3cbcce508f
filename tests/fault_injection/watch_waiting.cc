#include "fault_injection/watch_waiting.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::sim {
namespace {

constexpr Duration kMayBeSilent = minutes(1);

// The reason says that the job cannot run now.
bool means_never(ReasonCode code) {
  return code == ReasonCode::held || code == ReasonCode::misconfigured || code == ReasonCode::exceeds_capacity ||
         code == ReasonCode::exceeds_max_quota;
}

}  // namespace

void WaitingWatch::look(const Tables& tables, Instant now) {
  for (const auto& [id, job] : tables.jobs) {
    if (job.state != JobState::queued || job.pending != ReasonCode::pending_evaluation) {
      silent_since_.erase(id);
      continue;
    }
    const auto since = std::max(silent_since_.try_emplace(id, now).first->second, findings_.calm_since());
    if (now - since > kMayBeSilent)
      findings_.add(Promise::nothing_waits_silently, fmt::format("job {} waits without a reason", to_string(id)));
  }
}

void WaitingWatch::at_rest(const Tables& tables) {
  for (const auto& [id, job] : tables.jobs)
    if (is_active(job.state))
      findings_.add(Promise::nothing_waits_silently,
                    fmt::format("job {} is {} and nothing happens any more", to_string(id), to_string(job.state)));
    else if (job.pending && !means_never(*job.pending))
      findings_.add(Promise::nothing_waits_silently,
                    fmt::format("job {} waits for ever, as {}", to_string(id), to_string(*job.pending)));
}

}  // namespace ym::sim
