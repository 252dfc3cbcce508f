#include "model/policy_settings.h"

namespace ym {
namespace {

template <class Value>
void fill(std::optional<Value>& own, const std::optional<Value>& below) {
  if (!own) own = below;
}

}  // namespace

std::string_view to_string(FairShare share) { return share == FairShare::decayed ? "decayed" : "instant"; }

std::optional<FairShare> parse_fair_share(std::string_view text) {
  for (const FairShare share : {FairShare::decayed, FairShare::instant})
    if (text == to_string(share)) return share;
  return std::nullopt;
}

PolicySettings over(const PolicySettings& above, const PolicySettings& below) {
  PolicySettings all = above;
  fill(all.age_cap, below.age_cap);
  fill(all.start_allowance, below.start_allowance);
  fill(all.usage_half_life, below.usage_half_life);
  fill(all.fair_share, below.fair_share);
  fill(all.scoring, below.scoring);
  fill(all.flavor_choice, below.flavor_choice);
  fill(all.consolidation, below.consolidation);
  fill(all.resizing, below.resizing);
  fill(all.resize_interval, below.resize_interval);
  fill(all.restart_cost, below.restart_cost);
  fill(all.reclaim_min_runtime_cap, below.reclaim_min_runtime_cap);
  fill(all.hold_margin, below.hold_margin);
  fill(all.preemptions_per_hour, below.preemptions_per_hour);
  return all;
}

}  // namespace ym
