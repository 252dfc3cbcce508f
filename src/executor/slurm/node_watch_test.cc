#include "executor/slurm/node_watch.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym::slurm {
namespace {

using States = std::vector<std::string>;

constexpr Instant kStart{1'000'000};

class Watched : public ::testing::Test {
 protected:
  void see(States states) { watch.see({{.name = "c1", .states = std::move(states)}}, now); }
  void pass(Duration time) { now = now + time; }
  Leftovers leftovers(bool suspect, Instant over_since) const {
    return watch.leftovers({.node = "c1",
                            .suspect = suspect,
                            .active_since = kStart,
                            .over_since = over_since,
                            .now = now,
                            .settle = seconds(40)});
  }

  NodeWatch watch;
  Instant now = kStart;
};

TEST(Withheld, ANodeThatIsOffOrStartsIsToBeHad) {
  for (const auto& states : {States{"IDLE", "CLOUD", "POWERED_DOWN"}, States{"ALLOCATED", "CLOUD", "POWERING_UP"},
                             States{"MIXED", "CLOUD", "POWERING_UP", "NOT_RESPONDING"}})
    EXPECT_EQ(why_withheld({.name = "c1", .states = states}, false), "") << states.back();
  for (const auto& states : {States{"IDLE", "CLOUD", "POWERING_DOWN"}, States{"DOWN", "CLOUD", "POWERED_DOWN"}})
    ym::testing::expect_sentence(why_withheld({.name = "c1", .states = states}, false));
}

TEST_F(Watched, WhatHasEndedOnAMachineThatWasSwitchedOffIsGone) {
  see({"ALLOCATED", "CLOUD"});
  pass(seconds(10));
  see({"IDLE", "CLOUD", "POWERED_DOWN"});
  EXPECT_EQ(leftovers(false, now), Leftovers::none);
  EXPECT_EQ(leftovers(true, kStart), Leftovers::none) << "it was seen to go off since";
}

TEST_F(Watched, AMachineThatWasOffBeforeTheLossProvesNothing) {
  see({"IDLE", "CLOUD", "POWERED_DOWN"});
  pass(seconds(10));
  see({"IDLE", "CLOUD", "POWERED_DOWN"});
  EXPECT_EQ(leftovers(true, kStart), Leftovers::possible);
  see({"IDLE", "CLOUD"});
  pass(seconds(41));
  see({"IDLE", "CLOUD"});
  EXPECT_EQ(leftovers(true, kStart), Leftovers::none);
}

TEST_F(Watched, ALostMachineIsNotSwitchedOff) {
  see({"ALLOCATED", "CLOUD"});
  pass(seconds(10));
  see({"DOWN", "CLOUD", "POWERED_DOWN"});
  EXPECT_EQ(leftovers(true, kStart), Leftovers::possible);
}

}  // namespace
}  // namespace ym::slurm
