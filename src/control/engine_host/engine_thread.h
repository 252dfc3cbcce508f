// EngineThread: the engine host. It runs the engine on a thread of its own and takes items in order, so that a long
// cycle never delays a submit.
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
#include "control/engine_host/engine_feed.h"
#include "control/engine_host/engine_host.h"
#include "control/engine_host/forecaster.h"

namespace ym {

class EngineThread final : public EngineFeed {
 public:
  // The engine's thread calls `propose` with each plan that has decisions. It makes no further plan until `settled` is
  // called for that one. `log` has already got began(), and must outlive this; null: no log.
  EngineThread(engine::State state, engine::Policy policy, const Clock& clock,
               std::function<void(std::shared_ptr<const EngineReport>)> propose, DecisionLog* log = nullptr);
  ~EngineThread() override;

  // All these calls are thread-safe.
  void set_policy(engine::Policy policy) override;
  void settled(PlanOutcome outcome) override;
  void follow(Events events, std::optional<PlanOutcome> outcome) override;
  // The newest report; never null.
  std::shared_ptr<const EngineReport> report() const;
  // What the engine expects, as of some time ago, and the changes that would let the job start now. If these are not
  // known yet, the engine looks for them from now on. Never null. Thread-safe.
  std::shared_ptr<const Outlook> outlook(JobId asked_about);
  // Finds the effect of the change on the state after the events followed so far. Thread-safe.
  void compare(engine::PolicyChange change, CompareReply reply);

 private:
  struct Question {
    engine::PolicyChange change;
    CompareReply reply;
  };
  using Item = std::variant<Events, engine::Policy, Question>;

  struct Work {
    std::vector<Item> items;
    bool decide = false;  // after taking the items
  };

  void post(Item item, Reaction reaction, std::optional<PlanOutcome> outcome = std::nullopt);
  void run();
  std::optional<Work> wait_for_work();
  void take(Item& item);
  void decide();
  // Precondition of the next four: the lock is held.
  void settle(PlanOutcome outcome);
  bool has_work() const;
  bool may_decide() const;
  std::chrono::milliseconds wait_time() const;
  void wake(bool outdated);
  std::optional<std::int64_t> forecast_due_in_ms() const;
  void make_forecast();

  EngineHost host_;
  const Clock& clock_;
  const std::function<void(std::shared_ptr<const EngineReport>)> propose_;
  DecisionLog* const log_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> inbox_;
  std::shared_ptr<const EngineReport> report_;
  bool stopping_ = false;
  bool plan_out_ = false;
  Reaction due_ = Reaction::at_once;
  std::chrono::steady_clock::time_point pause_until_;  // unless a decision is due at once
  bool outdated_ = false;                              // the newest forecast is out of date or missing
  bool poked_ = false;                                 // the thread is to look for due work
  Forecaster forecaster_;
  std::thread thread_;
};

}  // namespace ym
