// DecisionLog: what decisions are made of, in the order in which the engine saw it, for whoever writes it down
// (recording/recorder.h).
#pragma once

#include <memory>

#include "control/engine_host/engine_feed.h"

namespace ym {

// Threads: began() comes first, from the thread that starts the engine; all else from the engine's own. None of them
// waits for anything.
class DecisionLog {
 public:
  virtual ~DecisionLog() = default;
  virtual void began(const Tables& tables, const engine::Policy& policy) = 0;
  virtual void followed(EngineFeed::Events events) = 0;
  virtual void policy_set(const engine::Policy& policy) = 0;
  // What it decided then, of all that had come before.
  virtual void decided(Instant now, std::shared_ptr<const EngineReport> report) = 0;
};

}  // namespace ym
