// Pods of unknown launches, left by an earlier server.
#include <gtest/gtest.h>

#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::pod_of;
using testing::PodBookTest;
using testing::running;
using testing::words;

// The launch is unknown, but its epoch is known.
class UnknownPods : public PodBookTest {
 protected:
  void SetUp() override { book.restore({.request = request, .tasks = std::vector<TaskStatus>(2)}); }

  PodKey unknown{{JobId{77}, 1, 7}, 0};
  PodView over = pod_of(unknown, "n1", ended("Succeeded", R"({"exitCode":0})"), "x");
  PodView waits = pod_of(unknown, "", R"({"phase":"Pending"})", "x");
};

// The list has them before the live attempts are known, and they do not change any more.
TEST_F(UnknownPods, ThatAreOverAreRemovedAfterTheFirstListAndTheirLogsKept) {
  EXPECT_EQ(words(book.seen(over, now)), "");
  EXPECT_EQ(words(book.tick(now)), "") << "the live attempts are not known yet";
  EXPECT_EQ(words(book.all_listed(now)), "unknown(" + to_string(request.token) + ") remove x 1 log@n1");
  EXPECT_EQ(words(book.tick(now + hours(1))), "") << "once";
}

TEST_F(UnknownPods, ThatHaveNotBegunAreRemovedOnceTheyHadTimeToBeHeardOf) {
  book.seen(waits, now);
  book.all_listed(now);
  EXPECT_EQ(words(book.tick(now + seconds(29))), "");
  EXPECT_EQ(words(book.tick(now + seconds(30))), "remove x 1");
}

TEST_F(UnknownPods, ThatRunAreTheirAgentsToEnd) {
  book.all_listed(now);
  book.seen(waits, now);
  book.seen(pod_of(unknown, "n1", running(), "x", 2), now);
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
  book.seen(pod_of(unknown, "n1", ended("Failed", R"({"exitCode":1})"), "x", 3), now + hours(1));
  EXPECT_EQ(words(book.tick(now + hours(1))), "remove x 1 log@n1");
}

// This server may have lost its database, and another one may lead by now.
TEST_F(UnknownPods, OfALaterEpochThanWeHaveHeardOfAreNeverTouched) {
  unknown.token.epoch = request.token.epoch + 1;
  book.seen(pod_of(unknown, "n1", ended("Succeeded", R"({"exitCode":0})"), "x"), now);
  EXPECT_FALSE(words(book.all_listed(now)).contains("remove"));
  EXPECT_EQ(words(book.tick(now + hours(24))), "");
  auto newer = request;
  newer.token = {JobId{78}, 1, unknown.token.epoch};
  book.launch(newer, now + hours(24));
  EXPECT_TRUE(words(book.tick(now + hours(24))).contains("remove x 1 log@n1")) << "this server made it";
}

TEST_F(UnknownPods, AreKnownByTheEpochThatWeBegan) {
  unknown.token.epoch = request.token.epoch + 1;
  book.begin_epoch(unknown.token.epoch);
  book.seen(pod_of(unknown, "n1", ended("Succeeded", R"({"exitCode":0})"), "x"), now);
  EXPECT_TRUE(words(book.all_listed(now)).contains("remove x 1 log@n1"));
}

TEST_F(UnknownPods, ThatAreHeardOfAfterAllAreNone) {
  book.all_listed(now);
  book.seen(waits, now);
  auto late = request;
  late.token = unknown.token;
  book.launch(late, now);
  EXPECT_FALSE(words(book.tick(now + hours(1))).contains("remove"));
}

TEST_F(UnknownPods, ThatAreGoneOrAreBeingRemovedAreLeftAlone) {
  book.all_listed(now);
  book.seen(over, now);
  book.removed(over, now);
  EXPECT_EQ(words(book.tick(now)), "");
  auto deleting = over;
  deleting.deleting = true;
  book.seen(deleting, now);
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
  auto strange = over;
  strange.labels[std::string(kTokenLabel)] = "nonsense";
  book.seen(strange, now);
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
}

// The state was set back after they were launched.
class LostUnknownPods : public UnknownPods {
 protected:
  void SetUp() override {
    UnknownPods::SetUp();
    book.know_lost([this](const Token& token) { return token == unknown.token; });
    book.all_listed(now);
  }
  PodView runs = pod_of(unknown, "n1", running(), "x");
};

TEST_F(LostUnknownPods, ThatRunAreLetBeAndTakeWhatTheyHave) {
  book.seen(runs, now);
  EXPECT_TRUE(book.is_left_alone(runs));
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
  book.seen(pod_of(unknown, "n1", ended("Failed", R"({"exitCode":1})"), "x", 2), now + hours(1));
  EXPECT_FALSE(book.is_left_alone(runs));
  EXPECT_EQ(words(book.tick(now + hours(1))), "remove x 1 log@n1") << "and are tidied up when they are over";
}

TEST_F(LostUnknownPods, ThatAreGoneTakeNothing) {
  book.seen(runs, now);
  book.removed(runs, now);
  EXPECT_FALSE(book.is_left_alone(runs));
}

TEST_F(LostUnknownPods, ThatMayHaveBegunOnANodeThatDoesNotReportAreLetBe) {
  nodes["n1"] = {NodeContact::lost, {}};
  book.seen(pod_of(unknown, "n1", R"({"phase":"Pending"})", "x"), now);
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
  nodes["n1"] = {NodeContact::good, now};
  EXPECT_EQ(words(book.tick(now + hours(1))), "remove x 1");
}

TEST_F(LostUnknownPods, ThatWaitForANodeAreRemoved) {
  book.seen(waits, now);
  EXPECT_FALSE(book.is_left_alone(waits));
  EXPECT_EQ(words(book.tick(now + seconds(30))), "remove x 1");
}

// It is unknown for which agents its barrier was opened.
class AdoptedPods : public PodBookTest {
 protected:
  void SetUp() override { book.restore({.request = request, .tasks = std::vector<TaskStatus>(2), .adopted = true}); }
};

TEST_F(AdoptedPods, ThatAreThereAreFollowed) {
  book.seen(pod(first, running()), now);
  book.seen(pod(second, ended("Failed", R"({"exitCode":3})")), now);
  EXPECT_EQ(words(book.all_listed(now)), "accepted 0:alive 1:gone(exit)");
}

TEST_F(AdoptedPods, ThatAreNotThereAreNeverMadeAndAreGoneWhenTheirNodesHaveHeardOfIt) {
  book.seen(pod(first, running()), now);
  EXPECT_EQ(words(book.all_listed(now)), "accepted 0:alive 1:unseen close-barrier");
  EXPECT_EQ(words(book.tick(now + minutes(3))), "1:gone");
}

}  // namespace
}  // namespace ym::kubernetes
