#include "engine/quota/run_limits.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

// "org" with queues "a" and "b" below it; users 0 and 1.
class RunLimitsTest : public ::testing::Test {
 protected:
  RunLimitsTest() {
    for (const char* name : {"org", "a", "b"}) names_.intern(name);
    rows_["org"] = {.name = "org"};
    rows_["a"] = {.name = "a", .parent = "org"};
    rows_["b"] = {.name = "b", .parent = "org"};
  }
  RunLimits limits() const {
    RunLimits limits;
    limits.rebuild(rows_, names_);
    return limits;
  }
  QueueIndex queue(const char* name) const { return names_.find(name); }

  Names<QueueIndex> names_;
  std::map<std::string, Queue> rows_;
};

TEST_F(RunLimitsTest, WithoutAnyNothingIsCounted) {
  RunLimits none = limits();
  EXPECT_FALSE(none.any());
  none.add(queue("a"), UserIndex{0}, 8000);
  EXPECT_EQ(none, limits());
  EXPECT_FALSE(none.hit(queue("a"), UserIndex{0}, 8000));
}

TEST_F(RunLimitsTest, ALimitAboveCountsAllBelow) {
  rows_["org"].run_limit.jobs = 2;
  RunLimits some = limits();
  some.add(queue("a"), UserIndex{0}, 0);
  EXPECT_FALSE(some.hit(queue("b"), UserIndex{0}, 0));
  some.add(queue("b"), UserIndex{1}, 0);
  EXPECT_EQ(some.hit(queue("b"), UserIndex{0}, 0),
            (LimitHit{.queue = queue("org"), .most = 2, .used = 2, .needed = 1}));
  some.remove(queue("a"), UserIndex{0}, 0);
  EXPECT_FALSE(some.hit(queue("b"), UserIndex{0}, 0));
}

TEST_F(RunLimitsTest, OfSeveralTheNearestIsNamedAndTheUsersFirst) {
  rows_["org"].run_limit.jobs = 1;
  rows_["a"].run_limit.gpus_milli = 1000;
  rows_["a"].user_run_limit.jobs = 1;
  RunLimits some = limits();
  some.add(queue("a"), UserIndex{0}, 1000);
  EXPECT_EQ(some.hit(queue("a"), UserIndex{0}, 1000)->queue, queue("a"));
  EXPECT_TRUE(some.hit(queue("a"), UserIndex{0}, 1000)->of_user);
  const LimitHit gpus{.queue = queue("a"), .of_gpus = true, .most = 1000, .used = 1000, .needed = 1000};
  EXPECT_EQ(some.hit(queue("a"), UserIndex{1}, 1000), gpus);
  EXPECT_EQ(some.hit(queue("b"), UserIndex{1}, 1000)->queue, queue("org"));
}

TEST_F(RunLimitsTest, WorkWithoutGpusAndGrowthAskOnlyForWhatTheyAdd) {
  rows_["a"].run_limit = {.jobs = 1, .gpus_milli = 2000};
  RunLimits some = limits();
  some.add(queue("a"), UserIndex{0}, 3000);
  EXPECT_FALSE(some.hit(queue("a"), UserIndex{0}, 0, JobCount::counted))
      << "the limit was lowered, and nothing is added";
  EXPECT_TRUE(some.hit(queue("a"), UserIndex{0}, 500, JobCount::counted)->of_gpus);
  EXPECT_FALSE(some.hit(queue("a"), UserIndex{1}, 0)->of_gpus);
}

TEST_F(RunLimitsTest, AJobThatHasLeftIsForgotten) {
  rows_["a"].user_run_limit.jobs = 1;
  RunLimits some = limits();
  some.add(queue("a"), UserIndex{7}, 1000);
  some.remove(queue("a"), UserIndex{7}, 1000);
  EXPECT_EQ(some, limits());
}

TEST_F(RunLimitsTest, AQueueBelowItselfHasAnEnd) {
  rows_["org"].parent = "a";
  rows_["a"].run_limit.jobs = 1;
  RunLimits some = limits();
  some.add(queue("a"), UserIndex{0}, 0);
  some.remove(queue("a"), UserIndex{0}, 0);
  EXPECT_EQ(some, limits());
}

}  // namespace
}  // namespace ym::engine
