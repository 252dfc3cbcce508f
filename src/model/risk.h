// Work at risk: what would have to be repeated if an attempt were stopped now.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "model/job.h"

namespace ym {

// The time until which the attempt's work is saved: the newest `durable_at` among its own checkpoints, else its start.
// Nothing: its user code has not started, so there is nothing to lose.
std::optional<Instant> saved_until(const Job& job, const Attempt& attempt);

// GPU-milliseconds since then, of the whole gang; 0 if there is nothing to lose.
// Precondition: the job's spec.
std::int64_t gpu_ms_at_risk(const Job& job, const Attempt& attempt, Instant now);

}  // namespace ym
