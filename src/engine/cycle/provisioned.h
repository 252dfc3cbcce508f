#pragma once

#include <cstdint>

#include "base/time.h"
#include "engine/state/names.h"

namespace ym::engine {

// Nodes that are being made for a job.
struct Provisioned {
  FlavorIndex flavor = kNone;
  std::int64_t nodes = 0;  // of the flavor, for all who wait
  Instant since, ready;    // they are asked for; they are expected
};

}  // namespace ym::engine
