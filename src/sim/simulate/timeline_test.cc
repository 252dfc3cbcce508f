#include "sim/simulate/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::sim {
namespace {

using ::testing::ElementsAre;

constexpr Instant kTimelineBegin{5'000};
Instant after(std::int64_t n) { return kTimelineBegin + seconds(n); }

TEST(Timeline, HasTheMeanOfEachInterval) {
  Timeline line(seconds(10));
  line.begin(kTimelineBegin);
  line.set("gpus", 8);
  line.advance_to(after(5));
  line.change("gpus", -4);
  line.advance_to(after(20));
  line.set("waiting", 3);
  line.advance_to(after(24));
  const auto means = line.means();
  EXPECT_THAT(means.at("gpus"), ElementsAre(6, 4, 4)) << "the last is of four seconds";
  EXPECT_THAT(means.at("waiting"), ElementsAre(0, 0, 3));
}

TEST(Timeline, GetsCoarserAndNotLonger) {
  Timeline line(seconds(1), 4);
  line.begin(kTimelineBegin);
  line.set("gpus", 2);
  line.advance_to(after(3));
  line.set("gpus", 0);
  line.advance_to(after(9));
  EXPECT_EQ(line.width(), seconds(4));
  EXPECT_THAT(line.means().at("gpus"), ElementsAre(1.5, 0, 0));
}

TEST(Timeline, OfNothingIsEmpty) {
  Timeline line;
  line.begin(kTimelineBegin);
  EXPECT_TRUE(line.means().empty());
}

}  // namespace
}  // namespace ym::sim
