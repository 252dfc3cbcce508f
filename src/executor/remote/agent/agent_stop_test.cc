// Agents with user code that is stopped: by the server, by the cluster, or because its attempt is over.
#include <gmock/gmock.h>

#include "base/testing/sentences.h"
#include "executor/remote/agent/testing/site.h"

namespace ym::remote {
namespace {

using ::testing::HasSubstr;

class AgentStop : public SiteTest {
 protected:
  // User code that saves its work when it is asked to stop, and user code that does not.
  static constexpr const char* kSaves =
      "trap 'cp $YM_NOTICE_FILE notice; echo saved > saved; exit 0' TERM; echo > ready; while :; do sleep 0.05; done";
  static constexpr const char* kStays = "trap '' TERM; echo $$ > ready; while :; do sleep 0.05; done";
};

TEST_F(AgentStop, AStopGivesNoticeAndGrace) {
  launch(request(kSaves));
  const auto task = agent();
  said("ready");
  registry()->stop(kToken, {.cause = StopCause::preemption, .grace = seconds(30)});
  EXPECT_EQ(task->wait(), 143) << "no success for a cluster that alone is left to say it";
  EXPECT_EQ(said("saved"), "saved\n");
  EXPECT_THAT(content(scratch_ / "notice"), HasSubstr("\"preemption\""));
  EXPECT_EQ(end_of().by, EndedBy::preempted);
  EXPECT_EQ(end_of().exit_code, 0);
  EXPECT_FALSE(end_of().forced);
}

TEST_F(AgentStop, ATaskThatDoesNotStopIsKilled) {
  launch(request(kStays));
  const auto task = agent();
  said("ready");
  registry()->stop(kToken, {.cause = StopCause::cancel, .grace = {300}});
  EXPECT_EQ(task->wait(), 128 + 9);
  EXPECT_EQ(end_of().by, EndedBy::cancelled);
  EXPECT_TRUE(end_of().forced);
}

TEST_F(AgentStop, AClosedBarrierLetsNoTaskIn) {
  lets_in_ = false;
  launch(request("echo ran > ran"));
  const auto task = agent();
  ASSERT_TRUE(eventually([&] { return !seen<GangIsWaiting>().empty(); }));
  EXPECT_FALSE(registry()->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(30)}));
  EXPECT_EQ(task->wait(), kNotRunExit) << "a server that has not heard of it takes it for no success";
  EXPECT_THAT(task->errors(), HasSubstr("cancelled before user code started"));
  EXPECT_EQ(end_of().by, EndedBy::start_failed);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "ran"));
}

TEST_F(AgentStop, WhatTheClusterTakesAwayIsLost) {
  launch(request(kSaves));
  const auto task = agent();
  said("ready");
  ::kill(task->pid(), SIGTERM);
  EXPECT_EQ(task->wait(), 143);
  EXPECT_EQ(said("saved"), "saved\n");
  EXPECT_EQ(end_of().by, EndedBy::lost);
  ym::testing::expect_sentence(end_of().message);
}

TEST_F(AgentStop, WhatEndsByItselfAsTheClusterAsksIsItsOwn) {
  launch(request("trap '' TERM; echo > ready; until test -e go; do sleep 0.05; done; exit 5"));
  releases_ = false;
  const auto task = agent(0, {{"YM_TASK_LINGER", "30s"}});
  said("ready");
  std::ofstream(scratch_ / "go") << "\n";
  EXPECT_EQ(end_of().exit_code, 5);
  ::kill(task->pid(), SIGTERM);
  EXPECT_EQ(task->wait(), 5) << "it ends, although no server has stored its end";
  EXPECT_EQ(end_of().by, EndedBy::exit);
}

TEST_F(AgentStop, TheClustersGraceIsKept) {
  launch(request(kStays));
  const auto task = agent(0, {{"YM_TASK_GRACE", "3s"}});
  said("ready");
  ::kill(task->pid(), SIGTERM);
  EXPECT_EQ(task->wait(), 128 + 9);
  EXPECT_EQ(end_of().by, EndedBy::lost);
}

TEST_F(AgentStop, ASignalAtTheBarrierLeavesItUnstarted) {
  lets_in_ = false;
  launch(request("echo ran > ran"));
  const auto task = agent();
  ASSERT_TRUE(eventually([&] { return !seen<GangIsWaiting>().empty(); }));
  ::kill(task->pid(), SIGTERM);
  EXPECT_EQ(task->wait(), kNotRunExit);
  EXPECT_EQ(end_of().by, EndedBy::start_failed);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "ran"));
}

TEST_F(AgentStop, ATimeLimitNeedsNoServer) {
  auto what = request(kStays);
  auto spec = *what.spec;
  spec.time_limit = seconds(6);  // enough for user code to start on a busy machine
  spec.stop.grace = Duration{200};
  what.spec = std::make_shared<JobSpec>(std::move(spec));
  launch(what);
  const auto task = agent(0, {{"YM_TASK_LINGER", "1s"}});
  said("ready");
  http_.go_away(true);
  EXPECT_EQ(task->wait(), 128 + 9);
}

TEST_F(AgentStop, OfAnAttemptThatIsOverNothingLivesOn) {
  launch(request(kStays));
  const auto task = agent();
  const auto leader = said("ready");
  ASSERT_TRUE(wait_running());
  open({});
  EXPECT_EQ(task->wait(), 128 + 9);
  EXPECT_THAT(task->errors(), HasSubstr("the attempt is over"));
  EXPECT_NE(::kill(std::stoi(leader), 0), 0);
  EXPECT_TRUE(seen<TaskHasEnded>().empty());
}

}  // namespace
}  // namespace ym::remote
