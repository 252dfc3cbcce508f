#include "executor/kubernetes/pods/accepted_first.h"

#include <gtest/gtest.h>

namespace ym::kubernetes {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};

class AcceptedFirstTest : public ::testing::Test {
 protected:
  void say(decltype(Observation::what) what, Token token = kToken) { sink({token, std::move(what)}); }
  AcceptedFirst accepted;
  std::string heard;
  ObservationSink sink = accepted.before([this](const Observation& observation) {
    if (std::holds_alternative<LaunchAccepted>(observation.what)) heard += "accepted ";
    if (std::holds_alternative<LaunchPreparing>(observation.what)) heard += "preparing ";
    if (std::holds_alternative<LaunchRefused>(observation.what)) heard += "refused ";
    if (std::holds_alternative<TaskHasEnded>(observation.what)) heard += "ended ";
  });
};

TEST_F(AcceptedFirstTest, SaysItOnce) {
  say(LaunchAccepted{});
  say(LaunchPreparing{});
  say(LaunchAccepted{});
  say(TaskHasEnded{});
  EXPECT_EQ(heard, "accepted preparing ended ");
}

TEST_F(AcceptedFirstTest, SaysItBeforeWhatProvesIt) {
  say(LaunchPreparing{});
  say(LaunchAccepted{});
  say(TaskHasEnded{}, {JobId{2}, 1, 7});
  EXPECT_EQ(heard, "accepted preparing accepted ended ");
}

TEST_F(AcceptedFirstTest, ARefusalProvesNothing) {
  say(LaunchRefused{});
  EXPECT_EQ(heard, "refused ");
}

TEST_F(AcceptedFirstTest, WhatIsForgottenMayBeAcceptedAgain) {
  say(LaunchAccepted{});
  accepted.forget(kToken);
  say(LaunchAccepted{});
  EXPECT_EQ(heard, "accepted accepted ");
}

}  // namespace
}  // namespace ym::kubernetes
