// UsageSampler: samples once a minute what queues and users use (model/usage.h).
//
// While no job waits or runs, it writes nothing. The next submit is stored together with a sample, which decays the old
// usage.
#pragma once

#include <optional>

#include "control/state/staging.h"

namespace ym {

class UsageSampler {
 public:
  // `kept`: the part of a minute's usage that counts a minute later, in 2^-32, as engine::Policy::usage_kept. Nothing:
  // it takes no samples.
  explicit UsageSampler(std::optional<std::int64_t> kept) : kept_(kept) {}

  // Changes `kept` from now on.
  void set_kept(std::int64_t kept) { kept_ = kept; }

  // The first sample is due at once: it accounts for the time before, ahead of the first admission.
  void begin(Instant now) { last_ = usage_grid(now) - kUsageSampling; }
  void stage_due(Staging& staging);
  // When the next sample is due. Nothing: no job waits or runs, or it takes no samples.
  std::optional<Instant> next(const ControlState& state) const;

 private:
  std::optional<std::int64_t> kept_;
  Instant last_;
};

}  // namespace ym
