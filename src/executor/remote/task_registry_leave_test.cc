// Leaving a cluster that cannot be reached.
#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

using Barrier = TaskOrders::Barrier;

class RegistryLeaves : public RegistryTest {
 protected:
  bool leave() { return registry_->leave_behind(kToken, "it is away"); }
};

TEST_F(RegistryLeaves, WhatHasNotBegunHasEndedAndIsNotLetIn) {
  registry_->launch(gang_of(2));
  say(0, waits("a0"));
  EXPECT_TRUE(leave());
  ASSERT_EQ(count<LaunchRefused>(), 1);
  EXPECT_TRUE(last<LaunchRefused>()->of_executor) << "no failure of the job's";
  EXPECT_EQ(last<LaunchRefused>()->message, "it is away");
  EXPECT_EQ(say(0, waits("a0")).barrier, Barrier::release);
  EXPECT_EQ(say(1, waits("a1")).barrier, Barrier::release);
  EXPECT_EQ(count<GangIsWaiting>(), 0);
  EXPECT_TRUE(leave());
  EXPECT_EQ(count<LaunchRefused>(), 1) << "said once";
  EXPECT_EQ(count<TaskHasEnded>(), 0);
}

TEST_F(RegistryLeaves, NotWhatMayBeginAtAnyMoment) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  ASSERT_EQ(count<GangIsWaiting>(), 1);
  EXPECT_FALSE(leave()) << "control may be opening the launch barrier";
  let_in();
  EXPECT_FALSE(leave()) << "user code may run";
  EXPECT_EQ(count<LaunchRefused>(), 0);
  EXPECT_EQ(say(0, waits("a")).barrier, Barrier::go);
  EXPECT_FALSE(registry_->leave_behind({JobId{99}, 1, 1}, "it is away"));
}

TEST_F(RegistryLeaves, WhatWasStoppedBeforeItBeganIsNotWaitedFor) {
  registry_->launch(gang_of(1));
  say(0, waits("a"));
  registry_->stop(kToken, {.cause = StopCause::cancel, .grace = seconds(1)});
  EXPECT_TRUE(leave());
  EXPECT_EQ(count<LaunchRefused>(), 1);
}

}  // namespace
}  // namespace ym::remote
