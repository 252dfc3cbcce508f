// Pods that are lost, or may have been created, when no task will be let in any more.
#include <gtest/gtest.h>

#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::error;
using testing::PodBookTest;
using testing::running;
using testing::words;
using Kind = ApiError::Kind;

class ClosedBarrier : public PodBookTest {};

// Its node never comes back to confirm anything, and need not: user code never ran there.
TEST_F(ClosedBarrier, APodThatVanishedWithItsNodeHasNotStarted) {
  make_both();
  for (const auto& key : {first, second}) book.seen(pod(key, running(), 2), now);
  nodes["n1"] = {NodeContact::lost, now};
  book.node_changed("n1", now);
  EXPECT_EQ(words(book.removed(pod(first, running(), 3), now)), "close-barrier") << "it was out of sight already";
  nodes.erase("n1");
  EXPECT_EQ(words(book.tick(now + hours(1))), "") << "a task that was let in may run on";
  EXPECT_EQ(words(book.close(request.token, now)), "0:gone(start_failed) remove u1 1");
  EXPECT_EQ(words(book.close(request.token, now)), "") << "once";
}

TEST_F(ClosedBarrier, AnUnseenPodVanishesLikeOthers) {
  make_both();
  book.seen(pod(second, running(), 2), now);
  EXPECT_EQ(words(book.all_listed(now)), "look-up 0");
  EXPECT_EQ(words(book.absent(first, now)), "0:unseen close-barrier");
  EXPECT_EQ(words(book.close(request.token, now)), "0:gone(start_failed) remove u1 1");
}

class Delegated : public PodBookTest {
 protected:
  Delegated() {
    rules.pod.node_choice = NodeChoice::delegated;
    book = PodBook(rules, [this](const std::string& node) { return nodes[node]; });
    make_both();
  }
  std::vector<TaskClaim> claims() const {
    return {TaskClaim{.nonce = "a", .address = {}, .port = 0, .node = "n2"},
            TaskClaim{.nonce = "b", .address = {}, .port = 0, .node = "n1"}};
  }
};

// No watch has shown it, and only its agent has named the node.
TEST_F(Delegated, AnUnseenPodIsWaitedForWhereItClaimed) {
  book.seen(pod(second, running(), 2), now);
  book.let_in(request.token, claims());
  nodes["n1"] = {NodeContact::lost, now};
  EXPECT_EQ(words(book.all_listed(now)), "look-up 0");
  EXPECT_EQ(words(book.absent(first, now)), "0:unseen close-barrier");
  EXPECT_EQ(words(book.tick(now + seconds(139))), "");
  EXPECT_EQ(words(book.tick(now + minutes(3))), "0:gone");
}

TEST_F(Delegated, AnUnseenPodIsWaitedForWhereItClaimedThoughItIsLetInLater) {
  book.absent(first, now);
  book.let_in(request.token, claims());
  EXPECT_EQ(words(book.tick(now + minutes(3))), "0:gone");
}

// It was bound, let in and deleted while there was no watch.
TEST_F(Delegated, APodThatRanIsNotTakenForOneThatWasNeverBound) {
  const auto unbound = testing::pod_of(first, "", R"({"phase":"Pending"})", "u0");
  book.seen(unbound, now);
  book.let_in(request.token, claims());
  EXPECT_EQ(words(book.removed(unbound, now)), "0:unseen close-barrier");
  EXPECT_EQ(words(book.tick(now + minutes(3))), "0:gone");
}

// An API server with invalid answers gives them at once.
TEST_F(ClosedBarrier, WhatMayHaveBeenMadeIsLookedUpNowAndThen) {
  book.launch(request, now);
  ASSERT_TRUE(book.begin(first));
  book.failed(first, error(Kind::timeout), now);
  EXPECT_EQ(words(book.close(request.token, now)), "1:gone(start_failed) look-up 0");
  for (const Duration wait : {seconds(2), seconds(4), seconds(8), seconds(16), seconds(32), minutes(1), minutes(1)}) {
    EXPECT_FALSE(words(book.not_looked_up(first, error(Kind::malformed), now)).contains("look-up"));
    EXPECT_EQ(words(book.tick(now + wait - seconds(1))), "");
    now = now + wait;
    EXPECT_EQ(words(book.tick(now)), "look-up 0");
    EXPECT_EQ(words(book.tick(now + seconds(1))), "") << "an answer is on its way";
  }
  EXPECT_EQ(words(book.absent(first, now)), "0:gone(start_failed)");
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
}

// A server that may not look for a moment (one that starts forbids it) knows no less than before.
TEST_F(ClosedBarrier, ALookThatIsRefusedEndsNothing) {
  book.launch(request, now);
  ASSERT_TRUE(book.begin(first));
  EXPECT_EQ(words(book.not_looked_up(first, error(Kind::forbidden), now)), "0:waits");
  EXPECT_EQ(words(book.tick(now + seconds(1))), "");
  EXPECT_EQ(words(book.tick(now + seconds(2))), "create 0");
}

TEST_F(ClosedBarrier, AnUnseenPodIsLookedForUntilThereIsAnAnswer) {
  make_both();
  book.seen(pod(second, running(), 2), now);
  EXPECT_EQ(words(book.all_listed(now)), "look-up 0");
  for (const Duration wait : {seconds(2), seconds(4), seconds(8)}) {
    EXPECT_EQ(words(book.not_looked_up(first, error(Kind::refused), now)), "");
    EXPECT_EQ(words(book.tick(now + wait - seconds(1))), "");
    now = now + wait;
    EXPECT_EQ(words(book.tick(now)), "look-up 0");
  }
  book.not_looked_up(first, error(Kind::server_error), now);
  EXPECT_EQ(words(book.seen(pod(first, running(), 2), now)), "0:alive");
  EXPECT_EQ(words(book.tick(now + minutes(1))), "") << "a watch has shown it";
}

TEST_F(ClosedBarrier, OneThatIsNotThereDoesNotMakeUsAskForAllTheOthers) {
  book.launch(request, now);
  for (const auto& key : {first, second}) {
    book.begin(key);
    book.failed(key, error(Kind::timeout), now);
  }
  EXPECT_EQ(words(book.close(request.token, now)), "look-up 0 look-up 1");
  EXPECT_EQ(words(book.absent(first, now)), "0:gone(start_failed)");
  EXPECT_EQ(words(book.absent(second, now)), "1:gone(start_failed)");
}

TEST_F(ClosedBarrier, WhatWasStoppedBeforeTheListIsEndedByIt) {
  book.restore({.request = request, .tasks = std::vector<TaskStatus>(2)});
  EXPECT_EQ(words(book.close(request.token, now)), "");
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.all_listed(now)), "accepted 0:alive 1:gone(start_failed) remove u0 1");
}

}  // namespace
}  // namespace ym::kubernetes
