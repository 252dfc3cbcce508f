// Forecaster: what the engine expects, found in the background on copies of its state.
//
// A thread of its own that gets what the machine has left over. It rests for longer than it works.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "control/replies.h"
#include "engine/engine.h"
#include "engine/forecast/deadline_verdict.h"
#include "engine/forecast/forecast.h"
#include "engine/forecast/policy_diff.h"
#include "engine/forecast/sooner.h"
#include "engine/forecast/start_trials.h"

namespace ym {

// Immutable.
struct Outlook {
  engine::Forecast forecast;
  std::map<JobId, std::vector<engine::SoonerChange>> sooner;  // of the jobs that were looked at
  std::map<JobId, engine::DeadlineVerdict> deadlines;         // of the first of those that have one
};

class Forecaster {
 public:
  // `done`: called from its thread when there is a new outlook.
  explicit Forecaster(std::function<void()> done);
  // What is under way is given up.
  ~Forecaster();

  // In how many milliseconds another may be begun; nothing: one is being made.
  std::optional<std::int64_t> rest_ms() const;
  // Precondition: rest_ms() is 0. `waiting`: in the order in which they are considered.
  void begin(const engine::State& state, const engine::Policy& policy, Instant now, std::span<const JobId> waiting);
  // What the change would do; comes before any forecast. `reply` is called from its thread; `unavailable` if it is
  // to stop, `rate_limited` (at once) if too many wait for theirs.
  void compare(const engine::State& state, const engine::Policy& policy, Instant now, engine::PolicyChange change,
               CompareReply reply);
  // What happened, in the order in which the states of `begin` follow it.
  void follow(const std::vector<Event>& events);
  // The newest; never null.
  std::shared_ptr<const Outlook> latest() const;
  // From now on it is looked for what would let the job start; true: the newest outlook does not say it.
  bool ask(JobId job);

 private:
  struct Task {
    engine::State state;
    engine::Policy policy;
    Instant now;
    std::vector<JobId> jobs;     // whose changes are looked for
    std::vector<JobId> waiting;  // in the order in which they are considered
    std::map<std::string, engine::StartMargins> margins;
  };

  struct Comparison {
    engine::State state;
    engine::Policy policy;
    Instant now;
    engine::PolicyChange change;
    CompareReply reply;
  };

  using Work = std::variant<Task, std::unique_ptr<Comparison>>;

  void run();
  std::optional<Work> next_work();  // nothing: it is to stop
  void carry_out(Task task);
  void carry_out(std::unique_ptr<Comparison> asked);
  std::unique_ptr<Comparison> enter(std::unique_ptr<Comparison> one);
  // Precondition: the lock is held.
  std::vector<JobId> worth_looking_at(std::span<const JobId> waiting);
  // What it found so far, if it is to stop. The task's state is varied meanwhile, and as before afterwards.
  Outlook look(Task& task) const;
  void judge_deadlines(Task& task, Outlook& outlook) const;

  const std::function<void()> done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Task> task_;
  std::deque<std::unique_ptr<Comparison>> comparisons_;
  bool busy_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> asked_first_ = false;  // somebody waits for a comparison
  std::chrono::steady_clock::time_point rested_;
  std::shared_ptr<const Outlook> latest_;
  engine::StartTrials trials_;
  std::deque<JobId> asked_;  // newest first
  std::thread thread_;
};

}  // namespace ym
