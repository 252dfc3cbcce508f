// The interface between the control loop and the thread that runs the engine.
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

// The engine's last result, for readers. Immutable.
struct EngineReport {
  engine::Plan plan;
  std::vector<engine::QueueUsage> usage;
  std::map<std::string, std::vector<std::int64_t>> budgets;  // usage that counts against them, as of the cycle
  CycleTimes cycles;                                         // since the start
};

// The engine for the control loop. In the server it has a thread of its own (engine_thread.h). In a simulation it
// shares the only thread.
class EngineFeed {
 public:
  using Events = std::shared_ptr<const std::vector<Event>>;
  // stored: `follow` has got the events of the last plan. lost: the plan could not be stored, so nothing of it
  // happened, and the engine must decide again.
  enum class PlanOutcome : std::uint8_t { stored, lost };

  virtual ~EngineFeed() = default;
  // Call it in order of commit. `outcome`: set if this settles the last plan too.
  virtual void follow(Events events, std::optional<PlanOutcome> outcome) = 0;
  virtual void settled(PlanOutcome outcome) = 0;
  // Applies to all decisions after the events followed so far.
  virtual void set_policy(engine::Policy policy) = 0;
};

}  // namespace ym
