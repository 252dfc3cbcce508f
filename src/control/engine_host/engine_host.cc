#include "control/engine_host/engine_host.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <variant>

#include "base/assert.h"
#include "engine/invariants.h"
#include "engine/plan_audit.h"

namespace ym {
namespace {

// Without NDEBUG, invariants are checked after each phase, while the cycle has the state changed.
#ifdef NDEBUG
constexpr bool kAudited = false;
#else
constexpr bool kAudited = true;
#endif

void require(const std::optional<std::string>& broken, std::string_view what) {
  if (!broken) return;
  spdlog::critical("{}: {}", what, *broken);
  YM_ASSERT(!broken);
}

class PhaseAudit final : public engine::PhaseObserver {
 public:
  explicit PhaseAudit(const engine::State& state) : state_(state) {}
  void begin(std::string_view) override {}
  void end(std::string_view) override { require(engine::broken_invariant(state_), "the engine's state"); }

 private:
  const engine::State& state_;
};

}  // namespace

Reaction EngineHost::reaction_to(const std::vector<Event>& events) {
  Reaction reaction = Reaction::nothing;
  for (const auto& event : events)
    reaction = std::max(reaction, std::visit([](const auto& payload) { return payload.kReaction; }, event.payload));
  return reaction;
}

void EngineHost::follow(const std::vector<Event>& events) {
  for (const auto& event : events) state_.apply(event);
}

EngineReport EngineHost::decide(Instant now) {
  EngineReport report;
  PhaseAudit audit(state_);
  report.plan = engine::decide(state_, policy_, now, kAudited ? &audit : nullptr);
  if (kAudited) {
    require(engine::decision_without_reason(state_, policy_, report.plan), "the engine's plan");
    require(engine::broken_reservation(state_, policy_, report.plan, now), "the engine's plan");
  }
  report.usage = engine::queue_usage(state_);
  report.budgets = engine::budget_usage(state_, now);
  return report;
}

}  // namespace ym
