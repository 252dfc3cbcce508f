#include "spec/test_support.h"

namespace ym::spec {
namespace {

TEST(Queues, SayFromWhomTheirJobsTakeQuotaBackAndWhatSparesThem) {
  const auto read = parse_queues(
      "queues: [{name: a, policy: {reclaim: lower-priority, min_runtime: {priority: 5m, reclaim: 1h}, fence: true, "
      "weight: 0.5}},"
      " {name: b}]");
  ASSERT_TRUE(read) << message(read);
  const Queue& ruled = read->queues.at(0);
  EXPECT_EQ(ruled.reclaim, PreemptRule::lower_priority);
  EXPECT_EQ(ruled.min_runtime, (MinRuntime{.priority = minutes(5), .reclaim = hours(1)}));
  EXPECT_TRUE(ruled.fence);
  EXPECT_EQ(ruled.weight_milli, 500);
  const Queue& plain = read->queues.at(1);
  EXPECT_EQ(plain.reclaim, PreemptRule::any);
  EXPECT_EQ(plain.min_runtime, MinRuntime{});
  EXPECT_EQ(plain.weight_milli, 1000);
  EXPECT_FALSE(plain.fence);
}

}  // namespace
}  // namespace ym::spec
