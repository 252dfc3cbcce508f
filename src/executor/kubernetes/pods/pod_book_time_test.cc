// Timeouts of pods: pods that cannot start, and pods that are finished.
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::error;
using testing::pod_of;
using testing::PodBookTest;
using testing::running;
using testing::words;
using ym::testing::expect_sentence;
using Kind = ApiError::Kind;

TEST_F(PodBookTest, WhatCannotStartIsTakenAwayAndOnlyThenSaidToHaveFailed) {
  make_both();
  const std::string status =
      R"({"phase":"Pending","containerStatuses":[{"name":"task","state":{"waiting":{"reason":"ImagePullBackOff","message":"m"}}}]})";
  EXPECT_EQ(words(book.seen(pod(first, status, 2), now)), "0:waits");
  EXPECT_EQ(words(book.tick(now + minutes(4))), "");
  EXPECT_EQ(words(book.tick(now + minutes(5))), "remove u0 1");
  const auto effects = book.seen(pod(first, R"({"phase":"Failed"})", 3), now + minutes(5));
  ASSERT_EQ(words(effects), "0:gone(start_failed)");
  expect_sentence(std::get<remote::Gone>(effects.reports[0].report).exit->message);
}

TEST_F(PodBookTest, APodThatIsNotBoundInTimeIsGivenUp) {
  make_both();
  const auto unbound = pod_of(first, "", R"({"phase":"Pending"})", "u0");
  book.seen(unbound, now);
  EXPECT_EQ(words(book.tick(now + minutes(9))), "");
  EXPECT_EQ(words(book.tick(now + minutes(10))), "remove u0 1");
  EXPECT_EQ(words(book.tick(now + minutes(11))), "");
  const auto effects = book.removed(unbound, now + minutes(11));
  ASSERT_EQ(words(effects), "0:gone(start_failed)");
  expect_sentence(std::get<remote::Gone>(effects.reports[0].report).message);
}

// Kueue holds pods back with a scheduling gate while their queue has no room.
TEST_F(PodBookTest, APodThatItsClusterHoldsBackIsNotGivenUp) {
  rules.pod.node_choice = NodeChoice::delegated;
  book = PodBook(rules, [this](const std::string& node) { return nodes[node]; });
  make_both();
  const auto gated = R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",)"
                     R"("reason":"SchedulingGated","message":"Scheduling is blocked due to non-empty gates"}]})";
  const auto effects = book.seen(pod_of(first, "", gated, "u0"), now);
  ASSERT_EQ(words(effects), "0:waits");
  expect_sentence(std::get<remote::NotStarted>(effects.reports[0].report).message);
  EXPECT_EQ(words(book.tick(now + hours(24))), "");
}

TEST_F(PodBookTest, AKillIsAskedForOnce) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.kill(first)), "remove u0 1 log@n1 kill");
  EXPECT_EQ(words(book.kill(first)), "");
  EXPECT_EQ(words(book.kill({request.token, 9})), "");
}

// While the API server is away, no thread creates it.
TEST_F(PodBookTest, WhatIsToBeDoneIsNamedOnceUntilItIsBegun) {
  EXPECT_EQ(words(book.launch(request, now)), "create 0 create 1");
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(words(book.tick(now + minutes(i))), "") << i;
  ASSERT_TRUE(book.begin(first));
  book.failed(first, error(Kind::unreachable), now + minutes(3));
  EXPECT_EQ(words(book.tick(now + minutes(4))), "create 0");
  EXPECT_EQ(words(book.tick(now + minutes(5))), "");
  EXPECT_EQ(words(book.close(request.token, now + minutes(5))), "1:gone(start_failed) look-up 0");
  EXPECT_FALSE(book.begin(first));
  for (int i = 6; i <= 9; ++i) {
    EXPECT_EQ(words(book.close(request.token, now + minutes(i))), "");
    EXPECT_EQ(words(book.tick(now + minutes(i))), "") << i;
  }
  EXPECT_EQ(words(book.absent(first, now + minutes(9))), "0:gone(start_failed)");
}

TEST_F(PodBookTest, WhatIsReleasedIsTidiedUpAndForgotten) {
  make_both();
  book.seen(pod(first, ended("Succeeded", R"({"exitCode":0})"), 2), now);
  book.seen(pod(second, running(), 2), now);
  // The ended one at once, the other one after the time to end.
  EXPECT_EQ(words(book.release(request.token, now)), "remove u0 1 log@n1");
  EXPECT_EQ(words(book.tick(now + seconds(29))), "");
  EXPECT_EQ(words(book.tick(now + seconds(30))), "remove u1 30 log@n2 kill");
  book.removed(pod(first, running(), 5), now);
  book.removed(pod(second, running(), 5), now);
  book.tick(now + seconds(31));
  EXPECT_EQ(book.size(), 0U);
  // A later answer is about a pod that is not wanted.
  EXPECT_EQ(words(book.created(first, "u9", now)), "remove u9 1");
}

TEST_F(PodBookTest, AfterARestartWhatIsThereIsTakenUpAndWhatNeverRanIsMadeAgain) {
  book.restore({.request = request, .tasks = std::vector<TaskStatus>(2)});
  EXPECT_EQ(words(book.seen(pod(first, running(), 2), now)), "");
  EXPECT_EQ(words(book.tick(now)), "");
  EXPECT_EQ(words(book.all_listed(now)), "accepted 0:alive create 1");
}

TEST_F(PodBookTest, AfterARestartWhatMayHaveRunAndIsMissingIsNeverMadeAgain) {
  LiveAttempt live{.request = request, .tasks = std::vector<TaskStatus>(2)};
  for (auto& task : live.tasks) task.claim = TaskClaim{.nonce = "x", .address = {}, .port = 0, .node = "n1"};
  book.restore(live);
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.all_listed(now)), "accepted 0:alive 1:unseen close-barrier");
  EXPECT_EQ(words(book.tick(now + seconds(140))), "1:gone");
}

TEST_F(PodBookTest, AfterARestartWhatHasNoTraceIsSaidToBeUnknownAndMayBeLaunched) {
  book.restore({.request = request, .tasks = std::vector<TaskStatus>(2)});
  EXPECT_EQ(words(book.all_listed(now)), "unknown(" + to_string(request.token) + ")");
  EXPECT_EQ(words(book.launch(request, now)), "create 0 create 1");
}

}  // namespace
}  // namespace ym::kubernetes
