#include "control/state/usage_sampler.h"

namespace ym {

void UsageSampler::stage_due(Staging& staging) {
  const auto due = next(staging.state());
  if (!due || *due > staging.now()) return;
  last_ = usage_grid(staging.now());
  staging.add("server", UsageSampled{.at = last_, .kept = *kept_});
}

std::optional<Instant> UsageSampler::next(const ControlState& state) const {
  if (!kept_ || state.live_jobs.empty()) return std::nullopt;
  return last_ + kUsageSampling;
}

}  // namespace ym
