// Forecaster: makes forecasts and comparisons in the background, on copies of the engine's state.
//
// It has a thread of its own that gets idle time of the machine. It rests for longer than it works.
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
  std::map<JobId, engine::DeadlineVerdict> deadlines;         // of the first jobs that have a deadline
};

class Forecaster {
 public:
  // `done`: called from its thread when there is a new outlook.
  explicit Forecaster(std::function<void()> done);
  // Abandons unfinished work.
  ~Forecaster();

  // The milliseconds until the next forecast may begin. Nothing: one is being made.
  std::optional<std::int64_t> wait_ms() const;
  // Precondition: wait_ms() is 0. `waiting`: in the order in which the engine considers the jobs.
  void begin(const engine::State& state, const engine::Policy& policy, Instant now, std::span<const JobId> waiting);
  // Finds the effect of the change, before any forecast. Its thread calls `reply`; with `unavailable` if it is to stop.
  // If too many comparisons wait, `reply` is called at once, with `rate_limited`.
  void compare(const engine::State& state, const engine::Policy& policy, Instant now, engine::PolicyChange change,
               CompareReply reply);
  // Events, in order with the states given to `begin`.
  void follow(const std::vector<Event>& events);
  // The newest outlook; never null.
  std::shared_ptr<const Outlook> latest() const;
  // From now on it looks for changes that let the job start. True: the newest outlook has none for the job yet.
  bool ask(JobId job);

 private:
  struct Task {
    engine::State state;
    engine::Policy policy;
    Instant now;
    std::vector<JobId> jobs;     // for which it looks for changes
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
  std::vector<JobId> jobs_to_look_at(std::span<const JobId> waiting);
  // Returns what it found so far if it is to stop. Changes the task's state during the call, and restores it.
  Outlook look(Task& task) const;
  void judge_deadlines(Task& task, Outlook& outlook) const;

  const std::function<void()> done_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Task> task_;
  std::deque<std::unique_ptr<Comparison>> comparisons_;
  bool busy_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> asked_first_ = false;  // a comparison waits
  std::chrono::steady_clock::time_point rested_;
  std::shared_ptr<const Outlook> latest_;
  engine::StartTrials trials_;
  std::deque<JobId> asked_;  // newest first
  std::thread thread_;
};

}  // namespace ym
