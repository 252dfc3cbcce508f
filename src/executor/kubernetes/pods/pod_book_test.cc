#include "executor/kubernetes/pods/pod_book.h"

#include <gtest/gtest.h>

#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::error;
using testing::pod_of;
using testing::PodBookTest;
using testing::running;
using testing::words;
using Kind = ApiError::Kind;

TEST_F(PodBookTest, EachTaskGetsOnePodAndTheLaunchIsAcceptedOnce) {
  EXPECT_EQ(words(book.launch(request, now)), "create 0 create 1");
  EXPECT_EQ(words(book.launch(request, now)), "");
  ASSERT_TRUE(book.begin(first));
  EXPECT_FALSE(book.begin(first));
  EXPECT_EQ(words(book.created(first, "u0", now)), "accepted");
  EXPECT_FALSE(book.begin(first));
  ASSERT_TRUE(book.begin(second));
  // The watch may be faster than the answer.
  EXPECT_EQ(words(book.seen(pod(second, R"({"phase":"Pending"})"), now)), "1:waits");
  EXPECT_EQ(words(book.created(second, "u1", now)), "");
  EXPECT_EQ(words(book.seen(pod(second, running(), 2), now)), "1:alive");
  EXPECT_EQ(words(book.seen(pod(second, running(), 3), now)), "");
}

TEST_F(PodBookTest, ACreationThatMayHaveHappenedIsTriedAgainByName) {
  book.launch(request, now);
  ASSERT_TRUE(book.begin(first));
  EXPECT_EQ(words(book.failed(first, error(Kind::unreachable), now)), "0:waits");
  EXPECT_EQ(words(book.tick(now + seconds(1))), "");
  EXPECT_EQ(words(book.tick(now + seconds(2))), "create 0");
  ASSERT_TRUE(book.begin(first));
  EXPECT_EQ(words(book.created(first, "u0", now)), "accepted");
}

TEST_F(PodBookTest, WhatTheServerWillNeverTakeIsRefusedWhole) {
  book.launch(request, now);
  book.begin(first);
  book.created(first, "u0", now);
  book.begin(second);
  EXPECT_EQ(words(book.failed(second, error(Kind::refused), now)), "refused! remove u0 1");
  // The launch has its answer: there is no further report.
  EXPECT_EQ(words(book.removed(pod_of(first, ""), now)), "");
}

TEST_F(PodBookTest, AForeignPodOfItsNameIsNotTouched) {
  book.launch(request, now);
  book.begin(first);
  EXPECT_EQ(words(book.foreign(first, "x", now)), "refused");
  EXPECT_EQ(words(book.close(request.token, now)), "");
  EXPECT_EQ(words(book.release(request.token, now)), "");
}

TEST_F(PodBookTest, WhatWasNotYetMadeIsNeverMadeAfterAStop) {
  book.launch(request, now);
  ASSERT_TRUE(book.begin(first));
  EXPECT_EQ(words(book.close(request.token, now)), "1:gone(start_failed)");
  EXPECT_FALSE(book.begin(second));
  EXPECT_EQ(words(book.created(first, "u0", now)), "accepted remove u0 1");
  EXPECT_EQ(words(book.seen(pod_of(first, "", R"({"phase":"Pending"})", "u0"), now)), "0:waits");
  EXPECT_EQ(words(book.removed(pod_of(first, "", R"({"phase":"Pending"})", "u0", 2), now)), "0:gone(start_failed)");
}

TEST_F(PodBookTest, AStopDuringACreationOfUnknownOutcomeLooksItUp) {
  book.launch(request, now);
  book.begin(first);
  book.failed(first, error(Kind::timeout), now);
  EXPECT_EQ(words(book.close(request.token, now)), "1:gone(start_failed) look-up 0");
  EXPECT_EQ(words(book.absent(first, now)), "0:gone(start_failed)");
}

TEST_F(PodBookTest, APodThatVanishesIsGoneWhenItsNodeHasHadTheTimeToEndIt) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.removed(pod(first, running(), 3), now)), "0:unseen close-barrier") << "unless it was opened";
  // 90 s of contact, and the pod's grace of 30 and 20.
  EXPECT_EQ(words(book.tick(now + seconds(139))), "");
  EXPECT_EQ(words(book.tick(now + seconds(140))), "0:gone");
}

// Its barrier is closed for good: whatever is left on the node, user code never runs.
TEST_F(PodBookTest, APodThatVanishesAfterAStopBeforeTheBarrierHasNotStarted) {
  make_both();
  const auto bound = pod(first, R"({"phase":"Pending"})");
  book.seen(bound, now);
  EXPECT_EQ(words(book.close(request.token, now)), "remove u0 1 remove u1 1");
  EXPECT_EQ(words(book.removed(bound, now)), "0:gone(start_failed)");
}

TEST_F(PodBookTest, APodThatVanishesFromALostNodeIsNotGoneUntilItIsBack) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  nodes["n1"] = {NodeContact::lost, now};
  EXPECT_EQ(words(book.node_changed("n1", now)), "0:unseen");
  book.removed(pod(first, running(), 3), now);
  EXPECT_EQ(words(book.tick(now + hours(24))), "");
  nodes.erase("n1");  // the node object was deleted: that ends no process
  EXPECT_EQ(words(book.tick(now + hours(48))), "");
  nodes["n1"] = {NodeContact::good, now + hours(48)};
  EXPECT_EQ(words(book.tick(now + hours(48) + seconds(139))), "");
  EXPECT_EQ(words(book.tick(now + hours(48) + seconds(140))), "0:gone");
}

TEST_F(PodBookTest, ALostNodeThatComesBackShowsItsPodsAgain) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  nodes["n1"] = {NodeContact::lost, now};
  EXPECT_EQ(words(book.node_changed("n1", now)), "0:unseen");
  nodes["n1"] = {NodeContact::good, now};
  EXPECT_EQ(words(book.node_changed("n1", now)), "0:alive");
  EXPECT_EQ(words(book.seen(pod(first, ended("Succeeded", R"({"exitCode":0})"), 3), now)), "0:gone(exit)");
  EXPECT_EQ(words(book.removed(pod(first, ended("Succeeded", R"({"exitCode":0})"), 4), now)), "");
}

TEST_F(PodBookTest, HowAPodEndedMayBeSaidLaterThanThatItDid) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.seen(pod(first, R"({"phase":"Failed"})", 3), now)), "0:gone");
  EXPECT_EQ(words(book.seen(pod(first, R"({"phase":"Failed"})", 4), now)), "");
  const auto known = ended("Failed", R"({"exitCode":3})");
  EXPECT_EQ(words(book.seen(pod(first, known, 5), now)), "0:gone(exit)");
  EXPECT_EQ(words(book.removed(pod(first, known, 6), now)), "");
}

TEST_F(PodBookTest, ASuccessorOfItsNameIsNotTakenForIt) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.seen(pod_of(first, "n1", ended("Succeeded", R"({"exitCode":0})"), "other", 5), now)), "");
  EXPECT_EQ(words(book.removed(pod_of(first, "n1", ended("Succeeded", R"({"exitCode":0})"), "other", 6), now)), "");
}

}  // namespace
}  // namespace ym::kubernetes
