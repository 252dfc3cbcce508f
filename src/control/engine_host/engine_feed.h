// What the control loop and whoever runs the engine tell each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/counters.h"
#include "engine/engine.h"

namespace ym {

// What the engine last said, for readers. Immutable.
struct EngineReport {
  engine::Plan plan;
  std::vector<engine::QueueUsage> usage;
  std::map<std::string, std::vector<std::int64_t>> budgets;  // what counts against them, as of the cycle
  CycleTimes cycles;                                         // since the start
};

// The engine as the control loop sees it. In the server it has a thread of its own (engine_thread.h); in a simulation
// it takes its turn on the only one.
class EngineFeed {
 public:
  using Events = std::shared_ptr<const std::vector<Event>>;
  // What came of the last plan has been given to `follow`; or, if it could not be stored, nothing came of it and the
  // engine must decide again.
  enum class PlanFate : std::uint8_t { stored, lost };

  virtual ~EngineFeed() = default;
  // In order of commit; `fate` if that settles the last plan too.
  virtual void follow(Events events, std::optional<PlanFate> fate) = 0;
  virtual void settled(PlanFate fate) = 0;
  // For every decision after what has been followed so far.
  virtual void set_policy(engine::Policy policy) = 0;
};

}  // namespace ym
