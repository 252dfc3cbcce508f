// EngineThread: the decision engine on a thread of its own, fed in order, so that a
// long cycle never delays a submit.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "base/time.h"
#include "control/forecaster.h"
#include "control/service.h"
#include "engine/engine.h"

namespace ym {

// What the engine last said, for readers. Immutable.
struct EngineReport {
  engine::Plan plan;
  std::vector<engine::QueueUsage> usage;
  std::map<std::string, std::vector<std::int64_t>> budgets;  // what counts against them, as of the cycle
  CycleTimes cycles;                                         // since the start
};

class EngineThread {
 public:
  using Events = std::shared_ptr<const std::vector<Event>>;

  // `propose` is called from this thread with each plan that decides something; the
  // engine waits with its next plan until `settled` is called for it.
  EngineThread(engine::State state, engine::Policy policy, const Clock& clock,
               std::function<void(std::shared_ptr<const EngineReport>)> propose);
  ~EngineThread();

  // For every decision after what has been followed so far. Thread-safe.
  void set_policy(engine::Policy policy);
  // What came of the last plan has been given to `follow`; or, if it could not be
  // stored, nothing came of it and the engine must decide again.
  enum class PlanFate : std::uint8_t { stored, lost };
  void settled(PlanFate fate);
  // In order of commit; `fate` if that settles the last plan too. Thread-safe.
  void follow(Events events, std::optional<PlanFate> fate = std::nullopt);
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

  void post(Item item, std::optional<PlanFate> fate = std::nullopt);
  void settle(PlanFate fate);
  void run();
  bool wait_for_work(std::vector<Item>& batch);
  // Whether a decision is due because of it.
  bool take(Item& item);
  void decide();
  void poke(bool outdated);
  std::optional<std::int64_t> forecast_due_in_ms() const;
  void make_forecast();

  engine::State state_;
  engine::Policy policy_;
  const Clock& clock_;
  const std::function<void(std::shared_ptr<const EngineReport>)> propose_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> inbox_;
  std::shared_ptr<const EngineReport> report_;
  bool stopping_ = false;
  bool plan_out_ = false;
  bool dirty_ = true;
  bool outdated_ = false;  // the newest forecast, or it is missing
  bool poked_ = false;     // to see what is due
  Forecaster forecaster_;
  std::thread thread_;
};

}  // namespace ym
