// Contact with tasks: agents that are silent while the cluster doubts; and starts that fail or come late.
#include "base/testing/sentences.h"
#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

class RegistryContact : public RegistryTest {};
class RegistryStart : public RegistryTest {};

TEST_F(RegistryContact, ContactIsLostWhenBothDoubt) {
  run_gang(2);
  registry_->cluster_says(kToken, 0, OutOfSight{"node n0 does not answer"});
  say(0, runs("a0"));
  pass(options_.silence + Duration{-1});
  EXPECT_EQ(count<ContactIsLost>(), 0);
  pass({1});
  ASSERT_EQ(count<ContactIsLost>(), 1);
  ym::testing::expect_sentence(last<ContactIsLost>()->message);
  pass(minutes(5));
  EXPECT_EQ(count<ContactIsLost>(), 1);
  EXPECT_EQ(count<TaskHasEnded>(), 0) << "absence of evidence";
  say(0, runs("a0"));
  EXPECT_EQ(count<ContactIsBack>(), 1);
}

TEST_F(RegistryContact, SilenceAloneIsNoLoss) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, Alive{"n0"});
  pass(hours(1));
  EXPECT_EQ(count<ContactIsLost>(), 0);
}

TEST_F(RegistryContact, AClusterThatSeesItAgainRegainsContact) {
  run_gang(2);
  clock_.advance(options_.silence);
  registry_->cluster_says(kToken, 0, OutOfSight{"x"});
  registry_->cluster_says(kToken, 1, OutOfSight{"y"});
  EXPECT_EQ(count<ContactIsLost>(), 1);
  registry_->cluster_says(kToken, 0, Alive{"n0"});
  EXPECT_EQ(count<ContactIsBack>(), 0) << "the other one is still missed";
  registry_->cluster_says(kToken, 1, Alive{"n1"});
  EXPECT_EQ(count<ContactIsBack>(), 1);
}

TEST_F(RegistryContact, AQuestionForOrdersIsASignOfLife) {
  run_gang(1);
  registry_->cluster_says(kToken, 0, OutOfSight{"x"});
  for (int n = 0; n < 10; ++n) {
    EXPECT_TRUE(registry_->orders({kToken.key(), 0}, "a0", 0));
    pass(seconds(40));
  }
  EXPECT_EQ(count<ContactIsLost>(), 0);
}

TEST_F(RegistryStart, WhatItWaitsForInItsClusterIsSaidWhenItLasts) {
  registry_->launch(gang_of(2));
  registry_->cluster_says(kToken, 1, NotStarted{"Priority"});
  pass(seconds(9));
  registry_->cluster_says(kToken, 1, NotStarted{"Resources"});
  pass(seconds(9));
  EXPECT_EQ(count<StartIsDelayed>(), 0) << "most begin sooner, and these words are young";
  pass(seconds(1));
  ASSERT_EQ(count<StartIsDelayed>(), 1);
  ym::testing::expect_sentence(last<StartIsDelayed>()->message);
  pass(minutes(10));
  EXPECT_EQ(count<StartIsDelayed>(), 1) << "it is no news";
}

TEST_F(RegistryStart, OtherWordsAreSaidAfterAPauseThatGrows) {
  registry_->launch(gang_of(1));
  std::vector<std::int64_t> told;
  for (int second = 0; second < 1'200; ++second) {
    if (second % 15 == 0) registry_->cluster_says(kToken, 0, NotStarted{second % 30 == 0 ? "Priority" : "Resources"});
    const auto before = count<StartIsDelayed>();
    pass(seconds(1));
    if (count<StartIsDelayed>() > before) told.push_back(second + 1);
  }
  EXPECT_EQ(told, (std::vector<std::int64_t>{10, 30, 70, 150, 310, 625, 940}));
}

TEST_F(RegistryStart, WhatWasNotHeardWhileContactWasLostIsSaidAgain) {
  registry_->launch(gang_of(1));
  registry_->cluster_says(kToken, 0, NotStarted{"Resources"});
  pass(seconds(10));
  EXPECT_EQ(count<StartIsDelayed>(), 1);
  registry_->cluster_says(kToken, 0, OutOfSight{"x"});
  pass(options_.silence);
  EXPECT_EQ(count<ContactIsLost>(), 1);
  registry_->cluster_says(kToken, 0, NotStarted{"Resources"});
  pass(seconds(10));
  EXPECT_EQ(count<StartIsDelayed>(), 2);
}

TEST_F(RegistryStart, AnAttemptAtTheBarrierWaitsForNothingInItsCluster) {
  registry_->launch(gang_of(2));
  for (int task = 0; task < 2; ++task) registry_->cluster_says(kToken, task, NotStarted{"is being started"});
  pass(seconds(5));
  say(0, waits("a0"));
  registry_->cluster_says(kToken, 1, Alive{"n1"});
  pass(minutes(1));
  EXPECT_EQ(count<StartIsDelayed>(), 0);
}

// An agent that is told to try again would try forever.
TEST_F(RegistryStart, WhatCanNeverStartIsSaidToBeSoAsTheClusterSaysIt) {
  for (const bool permanent : {true, false}) {
    open({});
    registry_->launch(gang_of(1));
    registry_->cluster_says(kToken, 0,
                            Gone{TaskExit{.by = EndedBy::start_failed, .permanent = permanent}, "InvalidImage"});
    ASSERT_TRUE(last<TaskHasEnded>());
    EXPECT_EQ(last<TaskHasEnded>()->exit.by, EndedBy::start_failed);
    EXPECT_EQ(last<TaskHasEnded>()->exit.permanent, permanent);
  }
}

// A gang may take long to be complete, and user code must still begin in time.
TEST_F(RegistryStart, HowLongAGangIsWaitedForIsNotHowLongUserCodeMayTakeToBegin) {
  options_.start_timeout = hours(2);
  open({});
  registry_->launch(gang_of(1));
  say(0, waits("a0"));
  let_in();
  const auto orders = say(0, waits("a0"));
  ASSERT_TRUE(orders.launch);
  EXPECT_EQ(orders.launch->start_timeout, minutes(5));
}

}  // namespace
}  // namespace ym::remote
