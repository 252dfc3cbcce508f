// EngineThread: the decision engine on a thread of its own, fed in order, so that a
// long cycle never delays a submit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "base/time.h"
#include "control/engine_host/decision_log.h"
#include "control/engine_host/engine_desk.h"
#include "control/engine_host/engine_feed.h"
#include "control/engine_host/forecaster.h"

namespace ym {

class EngineThread final : public EngineFeed {
 public:
  // `propose` is called from this thread with each plan that decides something; the
  // engine waits with its next plan until `settled` is called for it. `log` has been told how it begins, and outlives
  // it; null: nobody writes it down.
  EngineThread(engine::State state, engine::Policy policy, const Clock& clock,
               std::function<void(std::shared_ptr<const EngineReport>)> propose, DecisionLog* log = nullptr);
  ~EngineThread() override;

  // All of them are thread-safe.
  void set_policy(engine::Policy policy) override;
  void settled(PlanFate fate) override;
  void follow(Events events, std::optional<PlanFate> fate) override;
  // The newest report; never null.
  std::shared_ptr<const EngineReport> report() const;
  // What the engine expects, as of some time ago, and what would let the job start now, which is looked for
  // from now on if it has not been yet. Never null. Thread-safe.
  std::shared_ptr<const Outlook> outlook(JobId asked_about);
  // What the change would do to the state as it is after what has been followed so far. Thread-safe.
  void compare(engine::PolicyChange change, CompareReply reply);

 private:
  struct Question {
    engine::PolicyChange change;
    CompareReply reply;
  };
  using Item = std::variant<Events, engine::Policy, Question>;

  struct Work {
    std::vector<Item> items;
    bool decide = false;  // when they are taken
  };

  void post(Item item, Rouses call, std::optional<PlanFate> fate = std::nullopt);
  void run();
  std::optional<Work> wait_for_work();
  void take(Item& item);
  void decide();
  // Of these the lock is held.
  void settle(PlanFate fate);
  bool has_work() const;
  bool may_decide() const;
  std::chrono::milliseconds nap() const;
  void poke(bool outdated);
  std::optional<std::int64_t> forecast_due_in_ms() const;
  void make_forecast();

  EngineDesk desk_;
  const Clock& clock_;
  const std::function<void(std::shared_ptr<const EngineReport>)> propose_;
  DecisionLog* const log_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> inbox_;
  std::shared_ptr<const EngineReport> report_;
  bool stopping_ = false;
  bool plan_out_ = false;
  Rouses due_ = Rouses::at_once;
  std::chrono::steady_clock::time_point rests_until_;  // unless a decision is due at once
  bool outdated_ = false;                              // the newest forecast, or it is missing
  bool poked_ = false;                                 // to see what is due
  Forecaster forecaster_;
  std::thread thread_;
};

}  // namespace ym
