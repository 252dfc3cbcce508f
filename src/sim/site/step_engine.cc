#include "sim/site/step_engine.h"

#include <algorithm>
#include <utility>

namespace ym::sim {

void StepEngine::follow(Events events, std::optional<PlanOutcome> outcome) {
  host_.follow(*events);
  dirty_ = dirty_ || EngineHost::reaction_to(*events) != Reaction::nothing;
  if (outcome) settled(*outcome);
}

void StepEngine::settled(PlanOutcome outcome) {
  plan_out_ = false;
  dirty_ = dirty_ || outcome == PlanOutcome::lost;
}

void StepEngine::set_policy(engine::Policy policy) {
  host_.set_policy(std::move(policy));
  dirty_ = true;
}

std::optional<Instant> StepEngine::next() const {
  if (plan_out_) return std::nullopt;
  return dirty_ ? std::optional(Instant{0}) : next_wake_;
}

std::shared_ptr<const EngineReport> StepEngine::decide(Instant now) {
  const auto due = next();
  if (!due || *due > now) return nullptr;
  auto report = std::make_shared<EngineReport>(host_.decide(now));
  dirty_ = false;
  // Not at the same instant: the time must advance between two cycles without another cause.
  next_wake_ = report->plan.next_wake;
  if (next_wake_) next_wake_ = std::max(*next_wake_, now + Duration{1});
  cycles_ += 1;
  if (report->plan.decisions.empty()) return nullptr;
  plan_out_ = true;
  return report;
}

}  // namespace ym::sim
