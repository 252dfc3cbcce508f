#include "api/site_policy.h"

namespace ym::api {

engine::Policy policy_of(const Configuration& configuration, const engine::Policy& base) {
  engine::Policy policy = base;
  const auto set = [](auto& own, const auto& configured) { own = configured.value_or(own); };
  const auto& preemption = configuration.preemption;
  set(policy.age_cap, configuration.age_cap);
  set(policy.start_allowance, configuration.start_allowance);
  set(policy.fair_share, configuration.fair_share);
  set(policy.scoring, configuration.scoring);
  if (configuration.scoring) policy.waste_table = configuration.waste_table;
  set(policy.consolidation, configuration.consolidation);
  set(policy.resizing, configuration.resizing);
  set(policy.resize_interval, configuration.resize_interval);
  if (configuration.usage_half_life) policy.usage_kept = kept_part(*configuration.usage_half_life);
  set(policy.restart_cost, preemption.restart_cost);
  set(policy.reclaim_min_runtime_cap, preemption.reclaim_min_runtime_cap);
  set(policy.preemptions_per_hour, preemption.preemptions_per_hour);
  set(policy.hold_margin, preemption.hold_margin);
  return policy;
}

}  // namespace ym::api
