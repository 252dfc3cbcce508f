// Logs of pods that go before their attempt is over.
#include <gtest/gtest.h>

#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::pod_of;
using testing::PodBookTest;
using testing::running;
using testing::words;

class Logs : public PodBookTest {
 protected:
  PodView deleted(const std::string& status, int version) const {
    return pod_of(first, "n1", status, "u0", version, true);
  }
};

// A drain, an eviction through the API, preemption by the cluster's scheduler, a person.
TEST_F(Logs, OfAPodThatOthersDeleteAreReadAtOnceAndWhenItsAgentSaysThatItEnded) {
  make_both();
  EXPECT_EQ(words(book.seen(pod(first, running(), 2), now)), "0:alive");
  EXPECT_EQ(words(book.ended(first)), "") << "its pod stays";
  EXPECT_EQ(words(book.seen(deleted(running(), 3), now)), "save-log 0");
  EXPECT_EQ(words(book.seen(deleted(running(), 4), now)), "");
  EXPECT_EQ(words(book.ended(first)), "save-log 0");
  // If its agent does not reach the server, when the kubelet reports the end.
  EXPECT_EQ(words(book.seen(deleted(ended("Failed", R"({"exitCode":143})"), 5), now)), "0:gone(signal) save-log 0!");
  book.removed(deleted(ended("Failed", R"({"exitCode":143})"), 6), now);
  EXPECT_EQ(words(book.ended(first)), "");
}

TEST_F(Logs, OfAPodThatItsKubeletEvictedAreReadBeforeItClearsUpAndNotAgain) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  const std::string evicted = R"({"phase":"Failed","reason":"Evicted"})";
  EXPECT_EQ(words(book.seen(pod(first, evicted, 3), now)), "0:gone save-log 0!");
  EXPECT_EQ(words(book.seen(pod(first, evicted, 4), now)), "");
  book.log_saved(first);
  EXPECT_EQ(words(book.release(request.token, now)), "remove u0 1") << "nothing is left to be read";
}

// Its node could not be reached at that moment.
TEST_F(Logs, ThatCouldNotBeReadAreReadBeforeThePodGoes) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.seen(pod(first, R"({"phase":"Failed","reason":"Evicted"})", 3), now)), "0:gone save-log 0!");
  EXPECT_EQ(words(book.release(request.token, now)), "remove u0 1 log@n1");
}

TEST_F(Logs, OfAPodThatWeKillAreReadBefore) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  book.seen(pod(second, R"({"phase":"Pending"})", 2), now);
  EXPECT_EQ(words(book.kill(first)), "remove u0 1 log@n1 kill");
  EXPECT_EQ(words(book.kill(second)), "remove u1 1 kill") << "it has not begun";
  EXPECT_EQ(words(book.seen(deleted(running(), 3), now)), "") << "it was read";
  EXPECT_EQ(words(book.ended(first)), "save-log 0") << "there is more now";
}

TEST_F(Logs, AreNotAskedForWhereNoKubeletAnswers) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  nodes["n1"] = {NodeContact::lost, now};
  book.node_changed("n1", now);
  EXPECT_EQ(words(book.seen(deleted(running(), 3), now)), "");
  EXPECT_EQ(words(book.kill(first)), "remove u0 1 kill");
}

TEST_F(Logs, AreNotKeptOfWhatWasNeverLetIn) {
  make_both();
  book.seen(pod(first, running(), 2), now);
  EXPECT_EQ(words(book.close(request.token, now)), "remove u0 1 remove u1 1");
  EXPECT_EQ(words(book.seen(deleted(running(), 3), now)), "");
  EXPECT_EQ(words(book.ended(first)), "");
}

}  // namespace
}  // namespace ym::kubernetes
