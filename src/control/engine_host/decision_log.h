// DecisionLog: receives the input of all decisions, in the order in which the engine saw it (recording/recorder.h).
#pragma once

#include <memory>

#include "control/engine_host/engine_feed.h"

namespace ym {

// Threads: began() is called first, by the thread that starts the engine. The engine's own thread makes all other
// calls. No call waits for anything.
class DecisionLog {
 public:
  virtual ~DecisionLog() = default;
  virtual void began(const Tables& tables, const engine::Policy& policy) = 0;
  virtual void followed(EngineFeed::Events events) = 0;
  virtual void policy_set(const engine::Policy& policy) = 0;
  // The decision at `now`, from all earlier calls.
  virtual void decided(Instant now, std::shared_ptr<const EngineReport> report) = 0;
};

}  // namespace ym
