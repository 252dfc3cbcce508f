#pragma once

#include <cstdint>

#include "base/time.h"
#include "engine/state/names.h"

namespace ym::engine {

// Nodes that are being made for a job.
struct Provisioned {
  FlavorIndex flavor = kNone;
  std::int64_t nodes = 0;  // of the flavor, for all waiting jobs
  Instant since, ready;    // when they were requested; when they are expected
};

}  // namespace ym::engine
