#include "engine/reserve/bucket_queue.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace ym::engine {
namespace {

TEST(BucketQueue, ComeInTheirOrderHoweverTheyAreTold) {
  Random luck(1);
  BucketQueue queue;
  for (int search = 0; search < 200; ++search) {
    std::map<Minute, std::int32_t> wanted;
    const std::uint64_t within = luck.below(4) == 0 ? kHorizon + 1 : 500;
    for (auto told = luck.below(60); told > 0; --told) {
      const auto minute = static_cast<Minute>(luck.below(within));
      const std::int32_t nodes = luck.below(2) == 0 ? 1 : -1;
      queue.add(minute, nodes);
      wanted[minute] += nodes;
    }
    Minute at = queue.next(0);
    for (const auto& [minute, nodes] : wanted) {
      ASSERT_EQ(at, minute) << "search " << search;
      ASSERT_EQ(queue.at(at), nodes) << "search " << search;
      at = queue.next(at + 1);
    }
    ASSERT_EQ(at, kNoMinute) << "search " << search;
    queue.clear();
    ASSERT_EQ(queue.next(0), kNoMinute) << "search " << search;
  }
}

TEST(BucketQueue, AreNoneWhereNothingWasTold) {
  const BucketQueue none;
  EXPECT_EQ(none.next(0), kNoMinute);
  EXPECT_EQ(none.next(kHorizon), kNoMinute);
}

}  // namespace
}  // namespace ym::engine
