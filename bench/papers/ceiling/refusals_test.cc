#include "papers/ceiling/refusals.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ym::sim::placement {
namespace {

constexpr Shape kNoGpu{.cpu_milli = 1000, .memory_mib = 100};
constexpr Shape kShare{.cpu_milli = 2000, .memory_mib = 200, .gpus = 1, .gpu_milli = 800};
constexpr Shape kOne{.cpu_milli = 2000, .memory_mib = 300, .gpus = 1, .gpu_milli = 1000};
constexpr Shape kThrifty{.cpu_milli = 500, .memory_mib = 300, .gpus = 1, .gpu_milli = 1000};

TEST(Refusals, KnowWhatAsksForAsMuch) {
  EXPECT_TRUE(asks_for_as_much(kOne, kShare));
  EXPECT_TRUE(asks_for_as_much(kShare, kShare));
  EXPECT_FALSE(asks_for_as_much(kShare, kOne));
  EXPECT_FALSE(asks_for_as_much(kThrifty, kShare)) << "fewer CPUs";
  EXPECT_TRUE(asks_for_as_much(kShare, kNoGpu));
  EXPECT_FALSE(asks_for_as_much(kNoGpu, kShare));
  Shape picky = kOne;
  picky.types = 2;
  EXPECT_TRUE(asks_for_as_much(picky, kShare));
  EXPECT_FALSE(asks_for_as_much(kOne, picky)) << "it may go where the other may not";
}

// What the shapes are by their places in a list.
struct World {
  PodList list = list_of("tiny", {kNoGpu, kShare, kOne, kThrifty});
  ShapeId of(const Shape& shape) const {
    return static_cast<ShapeId>(std::ranges::lower_bound(list.shapes, shape) - list.shapes.begin());
  }
  std::vector<ShapeId> arrivals_of(const std::vector<Shape>& pods) const {
    std::vector<ShapeId> arrivals;
    for (const Shape& pod : pods) arrivals.push_back(of(pod));
    return arrivals;
  }
};

void expect_placed(const Bounds& placed, double least, double most) {
  EXPECT_EQ(placed.least, least);
  EXPECT_EQ(placed.most, most);
}

TEST(Refusals, BoundWhatIsPlacedOfOtherShapes) {
  const World world;
  const auto arrivals = world.arrivals_of({kNoGpu, kOne, kShare, kOne, kNoGpu, kShare, kThrifty, kOne, kNoGpu, kShare});
  const std::vector<ShapeId> probes{world.of(kShare)};
  const Refusals refusals(world.list, arrivals, probes);
  ASSERT_EQ(refusals.all().size(), 1U);
  EXPECT_EQ(refusals.all()[0].last, 3U);
  const auto placed = refusals.placed({{.first = 1, .last = 2}});
  ASSERT_TRUE(placed);
  expect_placed((*placed)[world.of(kShare)], 1, 2);
  expect_placed((*placed)[world.of(kNoGpu)], 1, 3);
  expect_placed((*placed)[world.of(kOne)], 0, 3);
  expect_placed((*placed)[world.of(kThrifty)], 0, 1);
  const auto second = refusals.placed({{.first = 1, .last = 1}});
  ASSERT_TRUE(second);
  expect_placed((*second)[world.of(kShare)], 1, 1);
  expect_placed((*second)[world.of(kOne)], 0, 2);
  const auto none = refusals.placed({{.first = 3, .last = 3}});
  ASSERT_TRUE(none);
  expect_placed((*none)[world.of(kShare)], 3, 3);
  expect_placed((*none)[world.of(kNoGpu)], 3, 3);
}

TEST(Refusals, SayThatGuessesContradictEachOther) {
  const World world;
  const auto arrivals = world.arrivals_of({kShare, kOne, kShare});
  const std::vector<ShapeId> probes{world.of(kShare), world.of(kOne)};
  const Refusals refusals(world.list, arrivals, probes);
  EXPECT_FALSE(refusals.placed({{.first = 0, .last = 0}, {.first = 1, .last = 1}})) << "no share, but then a whole one";
  EXPECT_TRUE(refusals.placed({{.first = 2, .last = 2}, {.first = 0, .last = 0}}));
}

}  // namespace
}  // namespace ym::sim::placement
