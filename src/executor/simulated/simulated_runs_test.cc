#include "executor/simulated/simulated_runs.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};
constexpr Instant kBegin{1'000'000};

Instant after(std::int64_t seconds_later) { return kBegin + seconds(seconds_later); }

class Runs : public ::testing::Test {
 protected:
  static LaunchRequest request(std::map<std::string, std::string> env, std::int32_t tasks = 1, std::int32_t nodes = 1) {
    JobSpec spec{.name = "j", .run = {.words = {"simulated"}}, .env = std::move(env), .nodes = nodes};
    LaunchRequest made{.token = kToken, .spec = std::make_shared<const JobSpec>(std::move(spec))};
    for (std::int32_t task = 0; task < tasks; ++task) made.placement.push_back({task, "n" + std::to_string(task), {}});
    return made;
  }
  void launch(LaunchRequest made) {
    SimulatedRuns::Seen seen;
    runs_.launch(made, kBegin, seen);
    ASSERT_EQ(seen.size(), 2 + made.placement.size());
  }
  SimulatedRuns::Seen stop(Instant at, Duration grace = seconds(30)) {
    SimulatedRuns::Seen seen;
    runs_.stop(kToken, {.grace = grace}, at, seen);
    return seen;
  }
  SimulatedRuns::Seen pass(Instant until) {
    SimulatedRuns::Seen seen;
    runs_.pass(until, seen);
    return seen;
  }
  static std::int64_t saved(const Observation& seen) {
    return std::get<ProgressIsReported>(seen.what).report.checkpoint.value().step;
  }
  static const TaskExit& exit_of(const Observation& seen) { return std::get<TaskHasEnded>(seen.what).exit; }

  SimulatedRuns runs_;
};

TEST_F(Runs, EndWhenTheirTimeHasCome) {
  launch(request({{"SIMULATED_RUN_TIME", "10s"}}, 2));
  EXPECT_EQ(runs_.next(), after(10));
  EXPECT_TRUE(pass(after(9)).empty());
  const auto seen = pass(after(99));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(exit_of(seen[1]).at, after(10)) << "when it was, not when it was looked at";
  EXPECT_FALSE(runs_.next());
}

TEST_F(Runs, TakeTheTimeThatAStartTakes) {
  launch(request({{"SIMULATED_RUN_TIME", "10s"}, {"SIMULATED_START_TIME", "3s"}}));
  EXPECT_EQ(runs_.next(), after(13));
}

TEST_F(Runs, ElasticOnesTakeLongerWithFewerNodes) {
  launch(request({{"SIMULATED_RUN_TIME", "10s"}}, 2, 8));
  EXPECT_EQ(runs_.next(), after(40));
}

TEST_F(Runs, SaveTheirWorkWhileTheyStop) {
  launch(request({{"SIMULATED_RUN_TIME", "100s"}, {"SIMULATED_CHECKPOINTS", "stop"}, {"SIMULATED_STOP_TIME", "5s"}}));
  EXPECT_TRUE(stop(after(40)).empty());
  const auto seen = pass(after(45));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(saved(seen[0]), 40'000) << "what was done when it was asked to";
  EXPECT_EQ(exit_of(seen[1]).signal, 15);
}

TEST_F(Runs, AKilledJobSavesNothing) {
  launch(request({{"SIMULATED_RUN_TIME", "100s"}, {"SIMULATED_CHECKPOINTS", "stop"}, {"SIMULATED_STOP_TIME", "60s"}}));
  stop(after(40), seconds(5));
  const auto seen = pass(after(45));
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_TRUE(exit_of(seen[0]).forced);
}

TEST_F(Runs, SaveNowAndThen) {
  launch(request({{"SIMULATED_RUN_TIME", "25s"}, {"SIMULATED_CHECKPOINTS", "10s"}, {"SIMULATED_START_TIME", "2s"}}));
  const auto seen = pass(after(100));
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(saved(seen[0]), 10'000);
  EXPECT_EQ(saved(seen[1]), 20'000);
  EXPECT_EQ(exit_of(seen[2]).at, after(27));
}

TEST_F(Runs, GoOnFromTheNewestCheckpoint) {
  auto again = request({{"SIMULATED_RUN_TIME", "100s"}, {"SIMULATED_START_TIME", "1s"}});
  again.checkpoints = {{.uri = "simulated:1/40000", .step = 40'000}, {.uri = "simulated:1/10000", .step = 10'000}};
  launch(std::move(again));
  EXPECT_EQ(runs_.next(), after(61));
}

TEST_F(Runs, AStopThatComesAsTheyEndChangesNothing) {
  launch(request({{"SIMULATED_RUN_TIME", "10s"}, {"SIMULATED_STOP_TIME", "5s"}}));
  stop(after(8));
  EXPECT_EQ(exit_of(pass(after(10)).at(0)).by, EndedBy::exit);
}

}  // namespace
}  // namespace ym
