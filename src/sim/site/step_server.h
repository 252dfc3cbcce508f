// StepServer: control and the engine as the server has them, on one thread, over a store, executors and clocks that are
// given. The same commands and observations at the same times give the same events, to the last byte.
//
// Threads: one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "control/control_loop.h"
#include "sim/site/step_engine.h"
#include "sim/site/virtual_clock.h"

namespace ym::sim {

class StepServer {
 public:
  // All of them outlive it.
  struct Parts {
    Store& store;
    Controller::Executors executors;
    const Clock& wall;           // what control and the engine take for the time
    const VirtualClock& steady;  // by which next() tells
  };
  struct Hooks {
    std::function<void(const Committed&, const Tables&)> committed;
    // Adds what executors have seen by now.
    std::function<void(std::vector<ControlItem>&)> look;
  };

  // Takes the state over and starts the executors. Errors: those of ControlLoop::open, and of the executors.
  static Result<std::unique_ptr<StepServer>> open(Parts parts, ControlOptions options, const DesiredState& desired,
                                                  Hooks hooks);

  // It is carried out with the next settle().
  void execute(Caller caller, Command command, Reply reply);
  // Does all that there is to do by now.
  void settle();
  // When there is something to do again, by itself, in steady time; nothing: never, as things are. After settle().
  std::optional<Instant> next() const;

  const Controller& controller() const { return loop_.controller(); }
  const Tables& tables() const { return loop_.controller().tables(); }
  std::int64_t cycles() const { return engine_->cycles(); }
  // What the engine expects now. After settle().
  engine::Forecast forecast() const { return engine_->forecast(parts_.wall.now()); }
  // An engine that hangs: it decides nothing any more. For tests of those who should notice.
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
