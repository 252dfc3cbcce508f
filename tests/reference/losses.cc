#include "reference/losses.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace ym::reference {
namespace {

std::optional<Instant> saved_at(const Tables& tables, const Attempt& attempt) {
  std::optional<Instant> newest;
  for (const Checkpoint& checkpoint : tables.jobs.at(attempt.job).checkpoints)
    if (checkpoint.attempt == attempt.number && (!newest || checkpoint.durable_at > *newest))
      newest = checkpoint.durable_at;
  return newest;
}

}  // namespace

std::int64_t lost_by_stop(const Tables& tables, JobId preempted, ResourceKind kind, Duration restart_cost,
                          Instant now) {
  const Attempt& attempt = *tables.live_attempt(preempted);
  std::vector<Instant> saves;
  for (const auto& [key, other] : tables.attempts)
    if (const auto saved = saved_at(tables, other); saved && other.state != AttemptState::ended)
      saves.push_back(*saved);
  std::ranges::sort(saves);
  Duration again = restart_cost;
  if (attempt.started_at) {
    Instant from = *attempt.started_at;
    if (const auto saved = saved_at(tables, attempt)) from = std::max(from, *saved);
    else if (!saves.empty()) from = std::max(from, saves[(saves.size() - 1) / 2]);
    again = again + std::max(Duration{0}, now - from);
  }
  return tables.jobs.at(preempted).spec->total(std::ssize(attempt.placement))[kind] * again.ms / kMilli;
}

}  // namespace ym::reference
