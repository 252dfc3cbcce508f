#include "reference/smaller_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/random_world.h"

namespace ym::reference {
namespace {

TEST(SmallerWorld, NothingIsLeftThatDoesNotMatter) {
  RandomWorld random(3, false);
  const Instant now = testing::kStart + hours(1);
  random.world().advance(now);
  for (int step = 0; step < 6; ++step) random.step(now);
  const Tables& tables = random.world().tables();
  ASSERT_GT(tables.jobs.size(), 3U);
  ASSERT_GT(tables.nodes.size(), 2U);
  const JobId job = tables.jobs.rbegin()->first;
  const std::string node = tables.nodes.begin()->first;
  const auto differs = [&](const Tables& some) { return some.jobs.contains(job) && some.nodes.contains(node); };
  const auto smaller = smaller_world(tables, differs);
  EXPECT_TRUE(differs(smaller.tables));
  EXPECT_EQ(smaller.tables.jobs.size(), 1U);
  EXPECT_THAT(smaller.rows, ::testing::Contains("job " + to_string(job)));
  EXPECT_THAT(smaller.rows, ::testing::Contains("node " + node));
  EXPECT_LE(smaller.tables.nodes.size(), 1 + tables.jobs.at(job).attempts);
}

}  // namespace
}  // namespace ym::reference
