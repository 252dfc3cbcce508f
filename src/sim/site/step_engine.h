// StepEngine: the engine for a program with one thread. It decides when it is called, by the rules of the server's
// engine thread (control/engine_host/engine_thread.h).
#pragma once

#include <memory>
#include <optional>

#include "control/engine_host/engine_feed.h"
#include "control/engine_host/engine_host.h"
#include "engine/forecast/forecast.h"

namespace ym::sim {

class StepEngine final : public EngineFeed {
 public:
  StepEngine(engine::State state, engine::Policy policy) : host_(std::move(state), std::move(policy)) {}

  void follow(Events events, std::optional<PlanOutcome> outcome) override;
  void settled(PlanOutcome outcome) override;
  void set_policy(engine::Policy policy) override;

  // When a decision is due without further events; nothing: none is due.
  std::optional<Instant> next() const;
  // The plan, if a decision is due and changes something. No further plan is made until it is settled.
  std::shared_ptr<const EngineReport> decide(Instant now);

  std::int64_t cycles() const { return cycles_; }
  // What the engine expects, after the events that it has followed.
  engine::Forecast forecast(Instant now) const { return engine::forecast(host_.state(), host_.policy(), now); }

 private:
  EngineHost host_;
  bool dirty_ = true;
  bool plan_out_ = false;
  std::optional<Instant> next_wake_;
  std::int64_t cycles_ = 0;
};

}  // namespace ym::sim
