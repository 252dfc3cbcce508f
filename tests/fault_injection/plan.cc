#include "fault_injection/plan.h"

#include <fmt/format.h>

#include <array>

#include "fault_injection/draw.h"

namespace ym::sim {
namespace {

constexpr Instant kBegin{1'767'225'600'000};  // 2026-01-01
constexpr Duration kBusy = minutes(40);

class Draw {
 public:
  explicit Draw(Random& random) : random_(random) {}

  Plan plan() {
    plan_.begin = kBegin;
    plan_.heals_at = kBegin + kBusy;
    plan_.desired = draw_site(random_);
    plan_.damages_state = one_in(3);
    if (one_in(3)) plan_.settings.consolidation = Consolidation::on;
    for (std::uint64_t left = 12 + below(24); left > 0; --left) submit();
    for (std::uint64_t left = below(24); left > 0; --left) act();
    for (std::uint64_t left = 1 + below(10); left > 0; --left) fault();
    return std::move(plan_);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  Duration up_to(Duration most) { return {static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most.ms)))}; }
  Instant some_time() { return kBegin + up_to(kBusy); }

  void submit() {
    const auto at = some_time();
    plan_.acts.emplace(at, SubmitSome{draw_job(random_, plan_.desired), one_in(6)});
  }

  void act() {
    const auto at = some_time();
    const auto kind = below(10);
    if (kind < 7) {
      constexpr std::array kActs{ActOnJob::Act::cancel, ActOnJob::Act::cancel, ActOnJob::Act::hold,
                                 ActOnJob::Act::release, ActOnJob::Act::retry};
      const auto act = kActs[below(kActs.size())];
      plan_.acts.emplace(at, ActOnJob{act, below(64)});
      return;
    }
    if (kind < 9) {
      const auto& nodes = plan_.desired.nodes;
      const std::string node = nodes[below(nodes.size())].name;
      plan_.acts.emplace(at, SwitchNode{node, false});
      plan_.acts.emplace(at + up_to(minutes(10)), SwitchNode{node, true});
      return;
    }
    // Another queue beside the server's own would remove that one, and with it all later submits.
    const std::string extra = fmt::format("extra-{}", below(2));
    Queue queue{.name = plan_.desired.queues.empty() ? std::string(kDefaultQueue) : extra,
                .weight_milli = static_cast<std::int64_t>(500 + below(2000)),
                .managed_by = ManagedBy::api};
    plan_.acts.emplace(at, ChangeQueue{queue});
  }

  FaultKind death() {
    if (one_in(5)) return DieNow{.with_power = one_in(2)};
    const auto step = static_cast<Step>(below(kSteps));
    const bool is_rare = step == Step::cancel_request || step == Step::preempt_request || step == Step::reserve;
    return DieAtStep{.step = step,
                     .moment = static_cast<Moment>(below(3)),
                     .nth = is_rare ? 1 : static_cast<std::int32_t>(1 + below(4)),
                     .with_power = one_in(3)};
  }

  FaultKind kind() {
    switch (below(14)) {
      case 0:
        return DiskFails{.after_writes = static_cast<std::int32_t>(below(20)),
                         .is_full = one_in(2),
                         .lasts = seconds(1) + up_to(minutes(3))};
      case 1: {
        constexpr std::array kJumps{hours(1), hours(24), minutes(5)};
        const Duration by = kJumps[below(kJumps.size())];
        return ClockJumps{one_in(2) ? by : Duration{-by.ms}};
      }
      case 2:
      case 3:
        return RepliesSuffer{.latest = up_to(seconds(20)) + Duration{1},
                             .doubled_percent = static_cast<std::int32_t>(below(50)),
                             .disorder = one_in(3),
                             .lasts = up_to(minutes(10))};
      case 4: return ContactIsCut{seconds(1) + up_to(minutes(12))};
      case 5: return TaskDies{};
      case 6:
      case 7: return ExecutorLies{};
      default: return death();
    }
  }

  void fault() {
    const auto at = some_time();
    plan_.faults.emplace(at, kind());
  }

  Random& random_;
  Plan plan_;
};

}  // namespace

Plan draw_plan(Random& random, Canary canary) {
  Plan plan = Draw(random).plan();
  if (canary != Canary::node_is_counted_twice) return plan;
  plan.desired.nodes.push_back(plan.desired.nodes.front());
  plan.desired.nodes.back().name = kSameMachine;
  return plan;
}

}  // namespace ym::sim
