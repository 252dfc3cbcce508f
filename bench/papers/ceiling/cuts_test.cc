#include "papers/ceiling/cuts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::sim::placement {
namespace {

using ::testing::ElementsAre;

Shape share(std::int32_t gpu_milli) { return {.gpus = 1, .gpu_milli = gpu_milli}; }

TEST(Cuts, LeaveNoMoreRoomThanTheyMust) {
  const Cuts cuts = cuts_of(list_of("tiny", {share(500), share(300), share(300), share(100), share(1000)}));
  EXPECT_THAT(cuts.sizes_milli, ElementsAre(300, 500)) << "neither small nor whole ones";
  ASSERT_EQ(cuts.ways.size(), 2U) << "one of each, with 200 left, is two of 500 of which one serves as 300";
  EXPECT_THAT(cuts.ways[0].pieces, ElementsAre(3, 0));
  EXPECT_EQ(cuts.ways[0].rest_milli, 100);
  EXPECT_THAT(cuts.ways[1].pieces, ElementsAre(0, 2));
  EXPECT_EQ(cuts.ways[1].rest_milli, 0);
}

TEST(Cuts, OfNoSharesAreTheGpuItself) {
  const Cuts cuts = cuts_of(list_of("tiny", {share(1000), share(100)}));
  EXPECT_TRUE(cuts.sizes_milli.empty());
  ASSERT_EQ(cuts.ways.size(), 1U);
  EXPECT_EQ(cuts.ways[0].rest_milli, kWholeGpu);
}

TEST(Cuts, LeaveTheSmallestSizesOutWhenThereAreTooMany) {
  std::vector<Shape> pods;
  for (std::int32_t milli = 1; milli < 1000; ++milli) pods.push_back(share(milli));
  const Cuts cuts = cuts_of(list_of("many", pods), {.most_ways = 600});
  EXPECT_LE(cuts.ways.size(), 600U);
  EXPECT_GT(cuts.sizes_milli.size(), 400U) << "with sizes above a half alone there is one way for each";
  EXPECT_EQ(cuts.sizes_milli.back(), 999);
}

}  // namespace
}  // namespace ym::sim::placement
