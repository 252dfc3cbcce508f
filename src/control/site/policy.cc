#include "control/site/policy.h"

#include "control/site/queue_commands.h"

namespace ym {

engine::Policy policy_of(const PolicySettings& settings, const engine::Policy& base) {
  engine::Policy policy = base;
  const auto set = [](auto& own, const auto& given) { own = given.value_or(own); };
  set(policy.age_cap, settings.age_cap);
  set(policy.start_allowance, settings.start_allowance);
  set(policy.fair_share, settings.fair_share);
  set(policy.scoring, settings.scoring);
  set(policy.flavor_choice, settings.flavor_choice);
  set(policy.consolidation, settings.consolidation);
  set(policy.resizing, settings.resizing);
  set(policy.resize_interval, settings.resize_interval);
  if (settings.usage_half_life) policy.usage_kept = kept_part(*settings.usage_half_life);
  set(policy.restart_cost, settings.restart_cost);
  set(policy.reclaim_min_runtime_cap, settings.reclaim_min_runtime_cap);
  set(policy.preemptions_per_hour, settings.preemptions_per_hour);
  set(policy.hold_margin, settings.hold_margin);
  return policy;
}

PolicySettings set_settings(const Tables& tables) {
  const auto row = tables.policies.find(kPolicyName);
  return row == tables.policies.end() ? PolicySettings() : row->second.settings;
}

Result<CommandReply> stage_apply_policy(Staging& staging, const Caller& caller, const ApplyPolicy& command) {
  if (!command.queues.queues.empty())
    if (auto applied = stage_apply_queues(staging, caller, command.queues); !applied) return applied;
  const PolicySettings before = set_settings(staging.tables());
  PolicySettings settings = over(command.settings, before);
  if (!command.queues.dry_run && settings != before)
    staging.add(caller.principal, PolicySet{{.name = kPolicyName, .settings = settings}});
  return CommandReply{};
}

Result<CommandReply> stage_reset_policy(Staging& staging, const Caller& caller) {
  if (staging.tables().policies.contains(kPolicyName)) staging.add(caller.principal, PolicyRemoved{kPolicyName});
  return CommandReply{};
}

}  // namespace ym
