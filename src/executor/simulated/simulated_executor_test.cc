#include "executor/simulated/simulated_executor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "executor/simulated/behaviour.h"
#include "executor/simulated/pace.h"

namespace ym {
namespace {

using namespace std::chrono_literals;

constexpr Token kToken{JobId{1}, 1, 7};

class WallClock : public Clock {
 public:
  Instant now() const override {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
  }
};

class Simulated : public ::testing::Test {
 protected:
  void make(std::vector<Token> live = {}) {
    executor_ = make_simulated_executor({.nodes = {Node{.name = "n1"}}}, clock_);
    std::vector<LiveAttempt> attempts;
    for (const auto& token : live) attempts.push_back({{.token = token}, {}});
    ASSERT_TRUE(executor_->start(
        [this](const Observation& seen) {
          const std::lock_guard lock(mutex_);
          seen_[seen.token].push_back(seen);
          changed_.notify_all();
        },
        attempts));
  }

  static LaunchRequest request(JobSpec spec, int tasks = 1, Token token = kToken) {
    LaunchRequest request{.token = token, .spec = std::make_shared<const JobSpec>(std::move(spec))};
    for (int task = 0; task < tasks; ++task) request.placement.push_back({task, "n1", {}});
    return request;
  }
  static JobSpec sleeps(const std::string& seconds) {
    return {.name = "j", .run = {.form = Program::Form::argv, .words = {"sleep", seconds}}};
  }

  // Observations of the token, once there are `count` of them.
  std::vector<Observation> wait(std::size_t count, Token token = kToken) {
    std::unique_lock lock(mutex_);
    const bool there = changed_.wait_for(lock, 30s, [&] { return seen_[token].size() >= count; });
    EXPECT_TRUE(there) << "only " << seen_[token].size();
    return seen_[token];
  }
  static const TaskExit& exit_of(const Observation& seen) { return std::get<TaskHasEnded>(seen.what).exit; }

  WallClock clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Token, std::vector<Observation>> seen_;  // under mutex_
  std::unique_ptr<Executor> executor_;
};

TEST_F(Simulated, AGangLivesAsLongAsItsJobSays) {
  make();
  const Instant begin = clock_.now();
  executor_->launch(request(sleeps("0.3"), 2));
  const auto seen = wait(6);
  EXPECT_TRUE(std::holds_alternative<LaunchAccepted>(seen[0].what));
  EXPECT_TRUE(std::holds_alternative<LaunchPreparing>(seen[1].what));
  EXPECT_EQ(std::get<TaskIsRunning>(seen[2].what).task, 0);
  EXPECT_EQ(std::get<TaskIsRunning>(seen[3].what).task, 1);
  EXPECT_EQ(std::get<TaskHasEnded>(seen[4].what).task, 0);
  EXPECT_EQ(std::get<TaskHasEnded>(seen[5].what).task, 1);
  EXPECT_EQ(exit_of(seen[5]).by, EndedBy::exit);
  EXPECT_EQ(exit_of(seen[5]).exit_code, 0);
  EXPECT_GE(exit_of(seen[5]).at - begin, Duration{299});
}

TEST_F(Simulated, TheSameTokenTwiceRunsOnce) {
  make();
  executor_->launch(request(sleeps("0")));
  executor_->launch(request(sleeps("0")));
  wait(4);
  const Token last{JobId{2}, 1, 7};
  executor_->launch(request(sleeps("0"), 1, last));
  wait(4, last);
  EXPECT_EQ(wait(4).size(), 4U);
}

TEST_F(Simulated, AStopEndsItAtOnceOrWhenItsTimeIsOver) {
  make();
  executor_->launch(request(sleeps("3600")));
  wait(3);
  executor_->stop(kToken, {.grace = seconds(60)});
  EXPECT_EQ(exit_of(wait(4)[3]).signal, 15);

  const Token slow{JobId{2}, 1, 7};
  JobSpec spec = sleeps("3600");
  spec.env["SIMULATED_STOP_TIME"] = "1h";
  executor_->launch(request(spec, 1, slow));
  wait(3, slow);
  executor_->stop(slow, {.grace = hours(1)});
  executor_->stop(slow, {.grace = Duration{50}});
  const TaskExit killed = exit_of(wait(4, slow)[3]);
  EXPECT_EQ(killed.signal, 9);
  EXPECT_TRUE(killed.forced) << "a shorter grace shortens it";
}

TEST_F(Simulated, AStopBeforeTheLaunchClosesTheBarrier) {
  make();
  executor_->stop(kToken, {});
  EXPECT_TRUE(std::holds_alternative<LaunchRefused>(wait(1)[0].what));
  executor_->launch(request(sleeps("0")));
  EXPECT_TRUE(std::holds_alternative<LaunchRefused>(wait(2)[1].what));
}

TEST_F(Simulated, TheTimeLimitHolds) {
  make();
  JobSpec spec = sleeps("3600");
  spec.time_limit = Duration{100};
  executor_->launch(request(spec));
  EXPECT_EQ(exit_of(wait(4)[3]).by, EndedBy::time_limit);
}

TEST_F(Simulated, WhatRanBeforeIsUnknownAndDoesNotLive) {
  make({kToken});
  const auto unknown = std::get<TokenIsUnknown>(wait(1)[0].what);
  EXPECT_TRUE(unknown.nothing_lives);
  EXPECT_FALSE(unknown.may_have_run);
}

TEST(SimulatedBehaviour, IsThatOfAllGroups) {
  JobSpec spec;
  spec.groups = {{.name = "a", .run = {.words = {"sleep", "3"}}}, {.name = "b", .run = {.words = {"sleep", "5"}}}};
  EXPECT_EQ(behaviour_of(spec), (Behaviour{.run_time = seconds(5)}));
  spec.groups.front().env = {{"SIMULATED_EXIT_CODE", "4"}};
  EXPECT_EQ(behaviour_of(spec), (Behaviour{.run_time = seconds(3), .exit_code = 4}));
}

TEST(SimulatedBehaviour, IsSaidByTheJob) {
  const auto of = [](std::vector<std::string> words, std::map<std::string, std::string> env = {}) {
    return behaviour_of({.run = {.words = std::move(words)}, .env = std::move(env)});
  };
  EXPECT_EQ(of({"true"}), Behaviour{});
  EXPECT_EQ(of({"sleep", "0.25"}).run_time, Duration{250});
  EXPECT_EQ(of({"sleep", "-1"}).run_time, Duration{});
  EXPECT_EQ(of({"sleep", "for long"}).run_time, Duration{});
  const auto said =
      of({"train.py"}, {{"SIMULATED_RUN_TIME", "2h"}, {"SIMULATED_EXIT_CODE", "3"}, {"SIMULATED_STOP_TIME", "10s"}});
  EXPECT_EQ(said, (Behaviour{.run_time = hours(2), .exit_code = 3, .stop_time = seconds(10)}));
}

TEST(Pace, HasABurstAndThenARate) {
  Pace pace(50);
  const Pace::Time begin{1h};
  for (std::int64_t call = 0; call < Pace::kBurst; ++call) EXPECT_EQ(pace.next(begin), begin) << call;
  EXPECT_EQ(pace.next(begin), begin + 20ms);
  EXPECT_EQ(pace.next(begin), begin + 40ms);
  EXPECT_EQ(pace.next(begin + 1h), begin + 1h);
  EXPECT_EQ(Pace(std::nullopt).next(begin), begin);
}

}  // namespace
}  // namespace ym
