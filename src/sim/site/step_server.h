// StepServer: control and the engine as in a server, on one thread, with a given store, executors and clocks. The same
// commands and observations at the same times give the same events, to the last byte.
//
// Threads: one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "control/control_loop.h"
#include "sim/site/step_engine.h"
#include "sim/site/virtual_clock.h"

namespace ym::sim {

class StepServer {
 public:
  // All of them must outlive it.
  struct Parts {
    Store& store;
    Controller::Executors executors;
    const Clock& wall;           // the time for control and the engine
    const VirtualClock& steady;  // the time that next() uses
  };
  struct Hooks {
    std::function<void(const Committed&, const Tables&)> committed;
    // Adds the observations of the executors until now.
    std::function<void(std::vector<ControlItem>&)> look;
  };

  // Takes over the state and starts the executors. Errors: those of ControlLoop::open, and of the executors.
  static Result<std::unique_ptr<StepServer>> open(Parts parts, ControlOptions options, const DesiredState& desired,
                                                  Hooks hooks);

  // The next settle() executes the command.
  void execute(Caller caller, Command command, Reply reply);
  // The next settle() takes the item.
  void post(ControlItem item) { inbox_.push_back(std::move(item)); }
  // Does everything that is due now.
  void settle();
  // When something is due next without a command, in steady time; nothing: never. Call it after settle().
  std::optional<Instant> next() const;

  const Controller& controller() const { return loop_.controller(); }
  const Tables& tables() const { return loop_.controller().tables(); }
  std::int64_t cycles() const { return engine_->cycles(); }
  // What the engine expects now. Call it after settle().
  engine::Forecast forecast() const { return engine_->forecast(parts_.wall.now()); }
  // The engine hangs: it makes no more decisions. For tests of code that should notice it.
  void stall_engine() { stalled_ = true; }

 private:
  StepServer(Parts parts, ControlOptions options, Hooks hooks);

  Parts parts_;
  Hooks hooks_;
  ControlLoop loop_;
  std::unique_ptr<StepEngine> engine_;
  std::vector<ControlItem> inbox_;
  bool stalled_ = false;
};

}  // namespace ym::sim
