// A task registry with a clock that tests set, its observations, and reports of agents without processes.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/remote/task_registry.h"

namespace ym::remote {

class SetClock final : public Clock {
 public:
  Instant now() const override { return {ms_}; }
  void advance(Duration time) { ms_ += time.ms; }
  void set(Instant time) { ms_ = time.ms; }

 private:
  std::atomic<std::int64_t> ms_ = 1'700'000'000'000;
};

inline const Token kToken{JobId{7}, 1, 3};

inline LaunchRequest gang_of(int tasks, Token token = kToken) {
  auto spec = std::make_shared<JobSpec>();
  spec->nodes = tasks;
  spec->run = {Program::Form::argv, {"train", "--fast"}};
  LaunchRequest request{.token = token, .spec = std::move(spec), .job_name = "train", .owner = "ann"};
  for (int n = 0; n < tasks; ++n) {
    request.placement.push_back({.task = n, .node = "n" + std::to_string(n), .devices = {}});
    request.nodes.push_back(Node{.name = "n" + std::to_string(n), .cluster = "hpc"});
  }
  request.contact = JobContact{"http://s/progress", "http://s/notice", Secret{"first"}};
  return request;
}

// Report of an agent with this nonce that waits at the launch barrier.
inline TaskReport waits(const std::string& nonce, Token token = kToken) {
  return {
      .token = token, .nonce = nonce, .claim = {.nonce = nonce, .address = "10.0.0.9", .port = 29'500, .node = "n"}};
}
inline TaskReport runs(const std::string& nonce, Token token = kToken) {
  auto report = waits(nonce, token);
  report.state = TaskReport::State::running;
  return report;
}
inline TaskReport has_ended(const std::string& nonce, TaskExit exit, Token token = kToken) {
  auto report = waits(nonce, token);
  report.state = TaskReport::State::ended;
  report.exit = std::move(exit);
  return report;
}
inline TaskExit exit_code(int code) { return {.by = EndedBy::exit, .exit_code = code, .message = "by itself"}; }

class RegistryTest : public ::testing::Test {
 protected:
  void SetUp() override { open({}); }

  // A server that starts, with what the earlier one has stored.
  void open(const std::vector<LiveAttempt>& live) {
    seen_.clear();
    registry_ = std::make_unique<TaskRegistry>(clock_, options_);
    registry_->start([this](Observation o) { take(std::move(o)); }, live);
  }

  // Errors are test failures.
  TaskOrders say(int task, const TaskReport& report) {
    const auto answer = registry_->report({kToken.key(), task}, encode(report));
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
    const auto orders = answer ? decode_orders(*answer) : Result<TaskOrders>(TaskOrders{});
    EXPECT_TRUE(orders) << (orders ? "" : orders.error().message);
    return orders.value_or(TaskOrders{});
  }
  std::optional<ErrorCode> refused(int task, const TaskReport& report) {
    const auto answer = registry_->report({kToken.key(), task}, encode(report));
    return answer ? std::nullopt : std::optional(answer.error().code);
  }
  // As control does for a gang that waits: stores its claims and opens the barrier.
  void let_in() {
    ASSERT_TRUE(last<GangIsWaiting>());
    stored_ = last<GangIsWaiting>()->claims;
    registry_->open_barrier(kToken, stored_);
  }
  // A gang with running tasks, under the nonces "a0", "a1", ...
  void run_gang(int tasks) {
    registry_->launch(gang_of(tasks));
    for (int n = 0; n < tasks; ++n) say(n, waits(nonce(n)));
    let_in();
    for (int n = 0; n < tasks; ++n) {
      EXPECT_EQ(say(n, waits(nonce(n))).barrier, TaskOrders::Barrier::go);
      say(n, runs(nonce(n)));
    }
  }
  static std::string nonce(int task) { return "a" + std::to_string(task); }
  // What is stored of it, with or without an opened barrier.
  LiveAttempt stored(int tasks, bool opened, TaskState state = TaskState::waiting) const {
    LiveAttempt live{.request = gang_of(tasks), .tasks = {}};
    for (int n = 0; n < tasks; ++n) {
      live.tasks.emplace_back();
      live.tasks.back().state = state;
      if (opened) live.tasks.back().claim = waits(nonce(n)).claim;
    }
    return live;
  }

  template <class What>
  int count() const {
    const std::lock_guard lock{mutex_};
    int n = 0;
    for (const auto& o : seen_) n += std::holds_alternative<What>(o.what) ? 1 : 0;
    return n;
  }
  template <class What>
  std::optional<What> last() const {
    const std::lock_guard lock{mutex_};
    std::optional<What> found;
    for (const auto& o : seen_)
      if (const auto* what = std::get_if<What>(&o.what)) found = *what;
    return found;
  }

  void pass(Duration time) {
    clock_.advance(time);
    kills_ = registry_->due();
  }

  void take(Observation observation) {
    const std::lock_guard lock{mutex_};
    seen_.push_back(std::move(observation));
  }

  SetClock clock_;
  RegistryOptions options_;
  mutable std::mutex mutex_;
  std::vector<Observation> seen_;  // under mutex_
  std::vector<TaskClaim> stored_;
  std::vector<KillTask> kills_;
  std::unique_ptr<TaskRegistry> registry_;
};

}  // namespace ym::remote
