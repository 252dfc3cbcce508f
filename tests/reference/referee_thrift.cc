// Whether too many jobs are stopped.
#include <fmt/format.h>

#include <algorithm>

#include "reference/referee.h"

namespace ym::reference {

bool Referee::only_shrinks(const engine::Preemption& preemption) {
  return !preemption.preempted_jobs.empty() &&
         std::ranges::none_of(preemption.preempted_jobs,
                              [](const engine::PreemptedJob& one) { return one.goes_on.empty(); });
}

// Jobs that go on smaller free less than they have, so more of them may be needed.
std::optional<std::string> Referee::too_much(const engine::Preemption& preemption) const {
  if (only_shrinks(preemption)) return std::nullopt;
  const Job& job = t_.jobs.at(preemption.job);
  Jobs all;
  std::int32_t highest = 0;
  for (const auto& preempted : preemption.preempted_jobs) {
    all.insert(preempted.job);
    highest = std::max(highest, t_.jobs.at(preempted.job).priority);
  }
  for (const JobId preempted : all) {
    Jobs without = all;
    without.erase(preempted);
    if (can_run(job, preemption.flavor, without)) return to_string(preempted) + " could be spared";
  }
  Jobs lower;
  for (const auto& [id, other] : t_.jobs)
    if (may_be_stopped(id) && is_own(job, id) && !is_spared(id, false) && other.priority < highest &&
        !place_in_target(id))
      lower.insert(id);
  if (can_run(job, preemption.flavor, lower)) return fmt::format("none of priority {} is needed", highest);
  return std::nullopt;
}

bool Referee::had_others_beside(const Job& job) const {
  return std::ranges::any_of(t_.jobs, [&](const auto& entry) {
    const Job& other = entry.second;
    if (other.id == job.id || other.state != JobState::queued || other.cancel_requested || other.nomination)
      return false;
    return std::ranges::any_of(flavors(other), [&](const std::string& flavor) { return has_room(other, flavor, {}); });
  });
}

}  // namespace ym::reference
