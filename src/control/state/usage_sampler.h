// UsageSampler: once a minute what queues and users use is sampled (model/usage.h).
//
// While no job waits or runs nothing is written: whoever comes then finds what was left of long ago
// decayed with the next sample, which is stored together with his submit.
#pragma once

#include <optional>

#include "control/state/staging.h"

namespace ym {

class UsageSampler {
 public:
  // Of a minute's usage a minute later, as engine::Policy has it. Nothing: no samples are taken.
  explicit UsageSampler(std::optional<std::int64_t> kept) : kept_(kept) {}

  // From now on.
  void set_kept(std::int64_t kept) { kept_ = kept; }

  // The first sample is due at once: what was missed before is made up for before anybody is admitted.
  void begin(Instant now) { last_ = usage_grid(now) - kUsageSampling; }
  void stage_due(Staging& staging);
  // Nothing: no job waits or runs, or no samples are taken.
  std::optional<Instant> next(const World& world) const;

 private:
  std::optional<std::int64_t> kept_;
  Instant last_;
};

}  // namespace ym
