// Contact with tasks: when the wrapper is silent and the cluster doubts.
#include "executor/remote/test_desk.h"

namespace ym::remote {
namespace {

class DeskContact : public DeskTest {};

TEST_F(DeskContact, ContactIsLostWhenBothDoubt) {
  run_gang(2);
  desk_->cluster_says(kToken, 0, OutOfSight{"node n0 does not answer"});
  say(0, runs("a0"));
  pass(options_.silence + Duration{-1});
  EXPECT_EQ(count<ContactIsLost>(), 0);
  pass({1});
  ASSERT_EQ(count<ContactIsLost>(), 1);
  EXPECT_EQ(last<ContactIsLost>()->message, "task 0: node n0 does not answer");
  pass(minutes(5));
  EXPECT_EQ(count<ContactIsLost>(), 1);
  EXPECT_EQ(count<TaskHasEnded>(), 0) << "absence of evidence";
  say(0, runs("a0"));
  EXPECT_EQ(count<ContactIsBack>(), 1);
}

TEST_F(DeskContact, SilenceAloneIsNoLoss) {
  run_gang(1);
  desk_->cluster_says(kToken, 0, Alive{"n0"});
  pass(hours(1));
  EXPECT_EQ(count<ContactIsLost>(), 0);
}

TEST_F(DeskContact, AClusterThatSeesItAgainRegainsContact) {
  run_gang(2);
  clock_.advance(options_.silence);
  desk_->cluster_says(kToken, 0, OutOfSight{"x"});
  desk_->cluster_says(kToken, 1, OutOfSight{"y"});
  EXPECT_EQ(count<ContactIsLost>(), 1);
  desk_->cluster_says(kToken, 0, Alive{"n0"});
  EXPECT_EQ(count<ContactIsBack>(), 0) << "the other one is still missed";
  desk_->cluster_says(kToken, 1, Alive{"n1"});
  EXPECT_EQ(count<ContactIsBack>(), 1);
}

TEST_F(DeskContact, AQuestionForOrdersIsASignOfLife) {
  run_gang(1);
  desk_->cluster_says(kToken, 0, OutOfSight{"x"});
  for (int n = 0; n < 10; ++n) {
    EXPECT_TRUE(desk_->orders({kToken.key(), 0}, "a0", 0));
    pass(seconds(40));
  }
  EXPECT_EQ(count<ContactIsLost>(), 0);
}

}  // namespace
}  // namespace ym::remote
