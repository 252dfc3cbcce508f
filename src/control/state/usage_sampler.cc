#include "control/state/usage_sampler.h"

namespace ym {

void UsageSampler::stage_due(Staging& staging) {
  const auto due = next(staging.world());
  if (!due || *due > staging.now()) return;
  last_ = usage_grid(staging.now());
  staging.add("server", UsageSampled{.at = last_, .kept = *kept_});
}

std::optional<Instant> UsageSampler::next(const World& world) const {
  if (!kept_ || world.live_jobs.empty()) return std::nullopt;
  return last_ + kUsageSampling;
}

}  // namespace ym
