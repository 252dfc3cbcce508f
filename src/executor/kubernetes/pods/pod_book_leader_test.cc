// A server that does not know that another has taken over.
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/pod_book.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::pod_of;
using testing::PodBookTest;
using testing::running;
using testing::words;

class TakenOver : public PodBookTest {
 protected:
  PodView newer(const std::string& status) const { return pod_of(theirs, "n1", status, "x"); }

  PodKey theirs{{JobId{77}, 1, 8}, 0};
};

TEST_F(TakenOver, CreatesNothingUntilTheOtherIsGone) {
  book.launch(request, now);
  EXPECT_FALSE(book.is_replaced());
  const auto effects = book.seen(newer(running()), now);
  EXPECT_TRUE(book.is_replaced());
  ASSERT_EQ(effects.notes.size(), 1U);
  ym::testing::expect_sentence(effects.notes[0]);
  EXPECT_TRUE(book.seen(newer(running()), now).notes.empty()) << "once";
  for (const auto& key : {first, second}) EXPECT_EQ(book.begin(key), nullptr);
  now = now + hours(1);
  EXPECT_EQ(words(book.tick(now)), "create 0 create 1");
  for (const auto& key : {first, second}) EXPECT_EQ(book.begin(key), nullptr);
  book.removed(newer(running()), now);
  book.tick(now + minutes(4));
  EXPECT_TRUE(book.is_replaced()) << "the next of its pods may be on its way";
  for (const auto& key : {first, second}) EXPECT_EQ(book.begin(key), nullptr);
  now = now + minutes(5);
  EXPECT_EQ(words(book.tick(now)), "create 0 create 1");
  EXPECT_NE(book.begin(first), nullptr);
}

TEST_F(TakenOver, UnknownPodsAreLeftToTheOther) {
  book.begin_epoch(7);
  book.all_listed(now);
  book.seen(newer(running()), now);
  const auto over = ended("Succeeded", R"({"exitCode":0})");
  book.seen(pod_of({{JobId{5}, 1, 6}, 0}, "n1", over, "y"), now);
  EXPECT_EQ(words(book.tick(now + hours(1))), "");
  book.seen(newer(over), now + hours(1));
  EXPECT_EQ(words(book.tick(now + hours(1) + minutes(5))), "remove y 1 log@n1") << "and never that of the other";
}

// A server that starts again leads again, and knows it.
TEST_F(TakenOver, AServerThatLeadsAgainIsNot) {
  book.begin_epoch(7);
  book.seen(newer(running()), now);
  book.begin_epoch(8);
  EXPECT_FALSE(book.is_replaced());
  theirs.token.epoch = 9;
  EXPECT_EQ(book.seen(newer(running()), now).notes.size(), 1U);
  auto late = request;
  late.token = theirs.token;
  book.launch(late, now);
  EXPECT_FALSE(book.is_replaced()) << "this server made it";
}

TEST_F(TakenOver, PodsOfOlderEpochsAndOfOtherServersProveNothing) {
  book.begin_epoch(7);
  theirs.token.epoch = 6;
  book.seen(newer(running()), now);
  theirs.token.epoch = 8;
  auto strange = newer(running());
  strange.labels[std::string(kManagedBy)] = "another";
  book.seen(strange, now);
  EXPECT_FALSE(book.is_replaced());
}

}  // namespace
}  // namespace ym::kubernetes
