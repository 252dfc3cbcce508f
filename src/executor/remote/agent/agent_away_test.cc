// Agents with a server that is away, or that is another one when it is back.
#include <gmock/gmock.h>

#include "executor/remote/agent/testing/site.h"

namespace ym::remote {
namespace {

using ::testing::HasSubstr;

class AgentAway : public SiteTest {
 protected:
  static constexpr const char* kUntilGo =
      "echo > ready; until test -e go; do sleep 0.05; done; echo over > over; exit 4";
  void go() const { std::ofstream(scratch_ / "go") << "\n"; }
};

TEST_F(AgentAway, UserCodeGoesOnAndItsEndIsToldLater) {
  launch(request(kUntilGo));
  const auto task = agent();
  said("ready");
  http_.go_away(true);
  go();
  said("over");
  EXPECT_TRUE(seen<TaskHasEnded>().empty());
  http_.go_away(false);
  EXPECT_EQ(end_of().exit_code, 4);
  EXPECT_EQ(task->wait(), 4);
}

TEST_F(AgentAway, WithoutAServerTheExitStatusTellsTheEnd) {
  launch(request(kUntilGo));
  const auto task = agent(0, {{"YM_TASK_LINGER", "1s"}});
  said("ready");
  http_.go_away(true);
  go();
  EXPECT_EQ(task->wait(), 4);
  EXPECT_THAT(task->errors(), HasSubstr("trying again"));
}

TEST_F(AgentAway, AServerThatIsLateIsWaitedFor) {
  http_.go_away(true);
  const auto task = agent();
  launch(request("exit 0"));
  http_.go_away(false);
  EXPECT_EQ(task->wait(), 0);
}

// A proxy in front of the server may not know it for a while.
TEST_F(AgentAway, OnlyTheServersOwnAnswerEndsATask) {
  launch(request(kUntilGo));
  const auto task = agent();
  said("ready");
  const auto before = http_.requests();
  http_.serve(nullptr);
  ASSERT_TRUE(eventually([&] { return http_.requests() >= before + 3; }));
  http_.serve(registry().get());
  go();
  EXPECT_EQ(task->wait(), 4);
}

TEST_F(AgentAway, ARestartedServerIsToldEverythingAgain) {
  launch(request("echo 'YM_PROGRESS {\"step\": 5}'; " + std::string(kUntilGo)));
  const auto task = agent();
  said("ready");
  ASSERT_TRUE(eventually([&] { return !seen<ProgressIsReported>().empty(); }));
  ASSERT_TRUE(wait_running());
  const auto before = registry();
  open({stored()});
  EXPECT_TRUE(eventually([&] { return seen<TaskIsRunning>().size() == 2; }));
  EXPECT_TRUE(eventually([&] { return seen<ProgressIsReported>().size() == 2; }));
  EXPECT_EQ(seen<GangIsWaiting>().size(), 1U);
  go();
  EXPECT_EQ(task->wait(), 4);
  EXPECT_EQ(end_of().exit_code, 4);
}

// Its first token is valid for a month.
TEST_F(AgentAway, ItShowsTheTokenThatOrdersBring) {
  launch(request(kUntilGo));
  const auto task = agent();
  said("ready");
  registry()->deliver(kToken, Secret{"second"});
  ASSERT_TRUE(eventually([&] { return http_.bearers().contains("second"); }));
  http_.deny("bearer-of-task");
  http_.deny("first");
  go();
  EXPECT_EQ(end_of().exit_code, 4);
  EXPECT_EQ(task->wait(), 4);
}

// Tokens from orders are valid for an hour.
TEST_F(AgentAway, AServerThatWasAwayForLongIsShownTheFirstOneAgain) {
  launch(request(kUntilGo));
  const auto task = agent();
  said("ready");
  ASSERT_TRUE(eventually([&] { return http_.bearers().contains("first"); }));
  http_.go_away(true);
  http_.deny("first");
  http_.go_away(false);
  go();
  EXPECT_EQ(end_of().exit_code, 4);
  EXPECT_EQ(task->wait(), 4);
}

TEST_F(AgentAway, ARestartBeforeTheBarrierKeepsNoTaskOut) {
  lets_in_ = false;
  launch(request("echo ran >> runs"));
  const auto task = agent();
  ASSERT_TRUE(eventually([&] { return !seen<GangIsWaiting>().empty(); }));
  lets_in_ = true;
  const auto before = registry();
  open({stored()});
  EXPECT_EQ(task->wait(), 0);
  EXPECT_EQ(said("runs"), "ran\n");
}

}  // namespace
}  // namespace ym::remote
