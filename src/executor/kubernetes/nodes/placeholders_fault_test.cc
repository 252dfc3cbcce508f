// Placeholders that reserve nothing, are not wanted or are refused; and nodes that are smaller than configured.
#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/placeholders.h"

namespace ym::kubernetes {
namespace {

using testing::PlaceholdersTest;
using ym::testing::expect_sentence;
using Kind = ApiError::Kind;
using Names = std::vector<std::string>;

// Evicted, or preempted on its way.
TEST_F(PlaceholdersTest, OneThatIsOverIsReplaced) {
  wait(2);
  const auto over = show(name(1), "gone", "Failed");
  auto work = pass({});
  EXPECT_EQ(removed(work), Names{name(1)});
  EXPECT_EQ(created(work), Names{name(3)}) << "the other counts";
  work = pass({});
  EXPECT_TRUE(work.remove.empty() && work.create.empty()) << "once";
  placeholders_.tried(name(1));
  placeholders_.removed(over);
  placeholders_.tried(name(3));
  show(name(3));
  work = pass({});
  EXPECT_TRUE(work.remove.empty() && work.create.empty());
}

TEST_F(PlaceholdersTest, OneThatIsBeingDeletedCountsNoMore) {
  wait(1);
  auto pod = show(name(1));
  pod.deleting = true;
  placeholders_.seen(pod);
  const auto work = pass({});
  EXPECT_EQ(created(work), Names{name(2)});
  EXPECT_TRUE(work.remove.empty());
}

// The scheduler may see a new node a moment before this server does.
TEST_F(PlaceholdersTest, OneOnANodeThatDoesNotCountIsReplacedAfterAMoment) {
  wait(1);
  show(name(1), "n9");
  auto work = pass({});
  EXPECT_TRUE(work.create.empty() && work.remove.empty());
  now_ = now_ + seconds(9);
  work = pass({node("n9", "is not ready")});
  EXPECT_TRUE(work.create.empty() && work.remove.empty());
  now_ = now_ + seconds(1);
  work = pass({node("n9", "is not ready")});
  EXPECT_EQ(created(work), Names{name(2)});
  EXPECT_EQ(removed(work), Names{name(1)});
}

TEST_F(PlaceholdersTest, ANodeThatIsThereAtLastCountsAndItsPlaceholderGoes) {
  wait(1);
  show(name(1), "n9");
  pass({});
  now_ = now_ + seconds(60);
  const auto work = pass({node("n9")});
  EXPECT_TRUE(work.create.empty());
  EXPECT_EQ(removed(work), Names{name(1)});
}

// The flavor was removed from the configuration while the server was down: no call mentions it.
TEST_F(PlaceholdersTest, ThoseOfAnUnwantedFlavorAreRemovedOnceAllFlavorsAreKnown) {
  show(name(1));
  EXPECT_TRUE(pass({}, false).remove.empty());
  EXPECT_EQ(removed(pass({}, true)), Names{name(1)});
  EXPECT_TRUE(pass({}, true).remove.empty()) << "once";
}

TEST_F(PlaceholdersTest, ThoseOfAnotherServersFlavorThatIsWantedStay) {
  show(name(1));
  want(1);
  const auto work = pass({}, true);
  EXPECT_TRUE(work.create.empty() && work.remove.empty()) << "this server made it before";
}

// A quota, an admission policy, a missing right.
TEST_F(PlaceholdersTest, WhatIsRefusedIsSaidOnceAndAskedForLaterAndLater) {
  want(2);
  EXPECT_EQ(created(pass({})).size(), 2U);
  expect_sentence(placeholders_.created(name(1), refused(Kind::over_quota, "exceeded quota"), now_));
  EXPECT_EQ(placeholders_.created(name(2), refused(Kind::over_quota, "exceeded quota too"), now_), "");
  EXPECT_TRUE(pass({}).create.empty());
  now_ = now_ + seconds(4);
  EXPECT_EQ(created(pass({})).size(), 2U);
  for (int i : {1, 2}) EXPECT_EQ(placeholders_.created(name(i), refused(Kind::over_quota, "still"), now_), "");
  now_ = now_ + seconds(7);
  EXPECT_TRUE(pass({}).create.empty());
  now_ = now_ + seconds(1);
  EXPECT_EQ(created(pass({})).size(), 2U);
  EXPECT_NE(placeholders_.created(name(1), refused(Kind::forbidden, "no right"), now_), "") << "something else now";
  now_ = now_ + seconds(4);
  pass({});
  EXPECT_NE(placeholders_.created(name(1), "u1", now_), "") << "it is taken again";
  EXPECT_EQ(placeholders_.created(name(2), "u2", now_), "");
}

// Its watch is late.
TEST_F(PlaceholdersTest, OneThatWasMadeCountsBeforeItIsShown) {
  want(1);
  pass({});
  EXPECT_EQ(placeholders_.created(name(1), "uid-" + name(1), now_), "");
  EXPECT_TRUE(pass({}).create.empty());
  want(0);
  EXPECT_EQ(removed(pass({})), Names{name(1)}) << "its uid is known";
}

TEST_F(PlaceholdersTest, OneThatIsShownBeforeItsAnswerComesIsThatOne) {
  want(1);
  pass({});
  const auto pod = show(name(1));
  placeholders_.created(name(1), pod.meta.uid, now_);
  now_ = now_ + hours(1);
  EXPECT_TRUE(pass({}).create.empty());
  placeholders_.removed(pod);
  EXPECT_EQ(created(pass({})), Names{name(1)});
}

// It was created and deleted while there was no watch.
TEST_F(PlaceholdersTest, OneThatIsNeverShownIsMadeAgain) {
  want(1);
  pass({});
  placeholders_.created(name(1), "u1", now_);
  now_ = now_ + seconds(59);
  EXPECT_TRUE(pass({}).create.empty());
  now_ = now_ + seconds(1);
  EXPECT_EQ(created(pass({})), Names{name(1)});
}

TEST_F(PlaceholdersTest, WhatIsRefusedForLongIsAskedForEveryFiveMinutes) {
  want(1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(created(pass({})).size(), 1U) << i;
    placeholders_.created(name(1), refused(Kind::forbidden, "no"), now_);
    ASSERT_TRUE(pass({}).create.empty());
    now_ = now_ + minutes(5);
  }
}

std::string gpus(const Placeholders::Work& work) {
  if (work.create.empty()) return "none";
  const auto& container = work.create[0].second.at("spec").at("containers").at(0);
  return std::string(container.at("resources").at("requests").at("nvidia.com/gpu").as_string());
}

// A placeholder that requests eight could not be placed, also not on a new node.
TEST_F(PlaceholdersTest, NodesThatAreSmallerThanConfiguredAreAskedForAsTheyAre) {
  want(3);
  auto work = pass({node("n1", {}, 4), node("n2", "is not ready", 8)});
  EXPECT_EQ(gpus(work), "4");
  ASSERT_EQ(work.notes.size(), 1U);
  expect_sentence(work.notes[0]);
  want(4);
  EXPECT_TRUE(pass({node("n1", {}, 4)}).notes.empty()) << "once";
  want(6);
  work = pass({node("n1", {}, 4), node("n3", {}, 8)});
  EXPECT_EQ(gpus(work), "8");
  EXPECT_TRUE(work.notes.empty());
}

TEST_F(PlaceholdersTest, WithoutANodeTheConfigurationIsBelieved) {
  want(1);
  const auto work = pass({node("n1", "is not ready", 4)});
  EXPECT_EQ(gpus(work), "8");
  EXPECT_TRUE(work.notes.empty());
}

TEST_F(PlaceholdersTest, ProcessorsCountWhereThereIsNothingElse) {
  flavor_.elastic->node.devices.clear();
  flavor_.elastic->node.cpus = 64'000;
  want(2);
  auto small = node("n1");
  small.cpus = 16'000;
  const auto work = pass({small});
  ASSERT_EQ(work.create.size(), 1U);
  const auto& container = work.create[0].second.at("spec").at("containers").at(0);
  EXPECT_EQ(container.at("resources").at("requests").at("cpu"), "12000m") << "three quarters of what comes";
  EXPECT_EQ(work.notes.size(), 1U);
}

}  // namespace
}  // namespace ym::kubernetes
