// EngineHost: the engine's state and policy, which events need a decision, and the decision itself. Its owner chooses
// the time of each decision.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <vector>

#include "control/engine_host/engine_feed.h"

namespace ym {

class EngineHost {
 public:
  EngineHost(engine::State state, engine::Policy policy) : state_(std::move(state)), policy_(policy) {}

  // How soon these events need a decision.
  static Reaction reaction_to(const std::vector<Event>& events);

  void follow(const std::vector<Event>& events);
  void set_policy(engine::Policy policy) { policy_ = policy; }
  // Runs one cycle. The caller fills in `cycles` of the report.
  EngineReport decide(Instant now);

  engine::State& state() { return state_; }
  const engine::State& state() const { return state_; }
  const engine::Policy& policy() const { return policy_; }

 private:
  engine::State state_;
  engine::Policy policy_;
};

}  // namespace ym
