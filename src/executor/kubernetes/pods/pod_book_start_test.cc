// Pods that have their node and do not start there.
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::pod_of;
using testing::PodBookTest;
using testing::running;
using testing::words;
using ym::testing::expect_sentence;

// As a kubelet reports a pod with a volume that it cannot mount.
const std::string kCreating = R"({"phase":"Pending",
    "conditions":[{"type":"Initialized","status":"False","reason":"ContainersNotInitialized",
                   "message":"containers with incomplete status: [ym-tools]"}],
    "initContainerStatuses":[{"name":"ym-tools","state":{"waiting":{"reason":"PodInitializing"}}}],
    "containerStatuses":[{"name":"task","state":{"waiting":{"reason":"PodInitializing"}}}]})";

class StartOfPod : public PodBookTest {
 protected:
  // The end is what was known before the removal.
  void expect_failed_start(const PodView& last, bool permanent = false) {
    book.removed(last, now);
    const auto effects = book.close(request.token, now);
    for (const auto& [key, report] : effects.reports)
      if (const auto* gone = std::get_if<remote::Gone>(&report); key == first && gone && gone->exit) {
        EXPECT_EQ(gone->exit->by, EndedBy::start_failed);
        EXPECT_EQ(gone->exit->permanent, permanent);
        return expect_sentence(gone->exit->message);
      }
    ADD_FAILURE() << words(effects);
  }
};

TEST_F(StartOfPod, ThatDoesNotComeInTimeIsGivenUpWithWhatItsKubeletSaidLast) {
  for (const auto choice : {NodeChoice::ours, NodeChoice::direct, NodeChoice::delegated}) {
    rules.pod.node_choice = choice;
    book = PodBook(rules, [this](const std::string& node) { return nodes[node]; });
    make_both();
    EXPECT_EQ(words(book.seen(pod(first, kCreating, 2), now)), "0:waits");
    EXPECT_EQ(words(book.tick(now + minutes(29))), "");
    EXPECT_EQ(words(book.tick(now + minutes(30))), "remove u0 1");
    EXPECT_EQ(words(book.tick(now + minutes(31))), "") << "once";
    expect_failed_start(pod(first, kCreating, 3));
  }
}

TEST_F(StartOfPod, OfAKubeletThatSaysNothingIsGivenUpToo) {
  make_both();
  const auto silent = pod(first, R"({"phase":"Pending"})", 2);
  book.seen(silent, now);
  EXPECT_EQ(words(book.tick(now + minutes(30))), "remove u0 1");
  expect_failed_start(silent);
}

// No other node has an image of that name.
TEST_F(StartOfPod, ThatCanNeverComeIsReportedWhicheverProgramRemovedIt) {
  const std::string never = R"({"phase":"Pending","containerStatuses":[
      {"name":"task","state":{"waiting":{"reason":"InvalidImageName","message":"m"}}}]})";
  make_both();
  EXPECT_EQ(words(book.seen(pod(first, never, 2), now)), "0:waits remove u0 1");
  expect_failed_start(pod(first, never, 3), true);
}

TEST_F(StartOfPod, ThatCanNeverComeIsSaidToBeSoAfterAStopToo) {
  make_both();
  const auto never = pod(first, R"({"phase":"Pending","containerStatuses":[
      {"name":"task","state":{"waiting":{"reason":"InvalidImageName","message":"m"}}}]})",
                         2);
  book.seen(never, now);
  book.close(request.token, now);
  const auto effects = book.removed(never, now);
  ASSERT_EQ(words(effects), "0:gone(start_failed)");
  EXPECT_TRUE(std::get<remote::Gone>(effects.reports[0].report).exit->permanent);
}

// A pod that was deleted while it waited becomes Failed at the end.
TEST_F(StartOfPod, ThatWasGivenUpIsNotWhatTheKubeletMakesOfItsDeletion) {
  make_both();
  book.seen(pod(first, kCreating, 2), now);
  book.tick(now + minutes(30));
  const auto effects = book.seen(pod(first, R"({"phase":"Failed"})", 3), now + minutes(30));
  ASSERT_EQ(words(effects), "0:gone(start_failed)");
  expect_sentence(std::get<remote::Gone>(effects.reports[0].report).exit->message);
}

TEST_F(StartOfPod, ThatCameIsNotGivenUp) {
  make_both();
  book.seen(pod(first, kCreating, 2), now);
  book.seen(pod(first, running(), 3), now + minutes(29));
  EXPECT_EQ(words(book.tick(now + hours(24))), "");
}

// The time starts when it has a node, whatever chose the node.
TEST_F(StartOfPod, IsNotWaitedForBeforeThePodHasANode) {
  rules.pod.node_choice = NodeChoice::delegated;
  rules.start = minutes(2);
  book = PodBook(rules, [this](const std::string& node) { return nodes[node]; });
  make_both();
  book.seen(pod_of(first, "", R"({"phase":"Pending"})", "u0"), now);
  EXPECT_EQ(words(book.tick(now + hours(24))), "");
  book.seen(pod(first, kCreating, 2), now + hours(24));
  EXPECT_EQ(words(book.tick(now + hours(24) + minutes(1))), "");
  EXPECT_EQ(words(book.tick(now + hours(24) + minutes(2))), "remove u0 1");
}

// It may run there by now.
TEST_F(StartOfPod, OnANodeThatDoesNotReportIsNotGivenUp) {
  make_both();
  book.seen(pod(first, kCreating, 2), now);
  nodes["n1"] = {NodeContact::lost, now};
  EXPECT_EQ(words(book.node_changed("n1", now + minutes(1))), "0:unseen");
  EXPECT_EQ(words(book.tick(now + hours(2))), "");
  nodes["n1"] = {NodeContact::good, now + hours(2)};
  EXPECT_EQ(words(book.node_changed("n1", now + hours(2))), "0:waits");
  EXPECT_EQ(words(book.tick(now + hours(2) + minutes(29))), "");
  EXPECT_EQ(words(book.tick(now + hours(2) + minutes(30))), "remove u0 1");
}

}  // namespace
}  // namespace ym::kubernetes
