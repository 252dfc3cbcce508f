// Inputs: what a cycle reads.
#pragma once

#include "engine/engine.h"
#include "engine/placement/score.h"
#include "engine/state/impl.h"

namespace ym::engine {

// All that it refers to must outlive it. The cycle changes the state only through its trial, and by queries that fill
// the state's caches.
struct Inputs {
  Inputs(State::Impl& state_, const Policy& policy_, Instant now_);

  State::Impl& state;
  const Policy& policy;
  Instant now;
  Scorer scorer;
  IndexedVector<QueueIndex, const Queue*> rules;  // null: the queue does not exist
};

}  // namespace ym::engine
