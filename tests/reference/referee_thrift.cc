// Whether too many are stopped, or too few.
#include <fmt/format.h>

#include <algorithm>

#include "reference/referee.h"

namespace ym::reference {

Referee::Jobs Referee::own_victims(const Job& job) const {
  Jobs all;
  for (const auto& [id, other] : t_.jobs)
    if (may_be_stopped(id) && is_own(job, id) && !is_spared(id, false)) all.insert(id);
  return all;
}

std::optional<std::string> Referee::too_much(const engine::Preemption& preemption) const {
  const Job& job = t_.jobs.at(preemption.job);
  Jobs all;
  std::int32_t highest = 0;
  for (const auto& victim : preemption.victims) {
    all.insert(victim.job);
    highest = std::max(highest, t_.jobs.at(victim.job).priority);
  }
  for (const JobId victim : all) {
    Jobs without = all;
    without.erase(victim);
    if (can_run(job, preemption.flavor, without)) return to_string(victim) + " could be spared";
  }
  Jobs lower = own_victims(job);
  std::erase_if(lower, [&](JobId victim) { return t_.jobs.at(victim).priority >= highest; });
  if (can_run(job, preemption.flavor, lower)) return fmt::format("none of priority {} is needed", highest);
  return std::nullopt;
}

bool Referee::is_forgotten(const Job& job) const {
  Use use;
  const NaiveQuota quota(t_.queues, use);
  if (job.state != JobState::queued || job.hold || job.cancel_requested || !quota.can_hold_jobs(job.queue))
    return false;
  if (job.not_before && *job.not_before > now_) return false;
  std::set<std::string> flavors{std::string(kDefaultFlavor)};
  for (const auto& [name, flavor] : t_.flavors) flavors.insert(name);
  const auto allowed = quota.quota_for(job.queue);
  const Jobs victims = own_victims(job);
  return std::ranges::any_of(flavors, [&](const std::string& flavor) {
    return (!allowed || allowed->contains(flavor)) && can_run(job, flavor, victims);
  });
}

}  // namespace ym::reference
