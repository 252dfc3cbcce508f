#include "sim/simulate/reactions.h"

#include <algorithm>

namespace ym::sim {

Reactions::Reactions(const std::vector<Recorded>& history) {
  std::map<std::string, std::map<Instant, std::string>> ends;  // by user: time of the end -> job
  for (const Recorded& job : history) ends[job.user].insert_or_assign(job.ended_at, job.id);
  for (const Recorded& job : history) {
    const auto& own = ends[job.user];
    const auto after = own.upper_bound(job.submitted_at);
    if (after == own.begin()) continue;
    const auto& [ended_at, id] = *std::prev(after);
    if (id == job.id || job.submitted_at - ended_at > kSoon) continue;
    Cause& cause = causes_[id];
    cause.ended_at = ended_at;
    cause.reactions += 1;
    all_ += 1;
  }
}

void Reactions::add(const JobRecord& record) {
  const auto cause = causes_.find(record.trace_id);
  if (cause == causes_.end()) return;
  const Instant was = cause->second.ended_at;
  const auto by = std::max(record.ended_at, was) - std::min(record.ended_at, was);
  if (by <= kMatters) kept_ += cause->second.reactions;
}

}  // namespace ym::sim
