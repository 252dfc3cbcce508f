#include "papers/placement/fragments.h"

#include <gtest/gtest.h>

#include "papers/placement/curve.h"
#include "papers/placement/fgd_policies.h"

namespace ym::sim::placement {
namespace {

constexpr Shape kShareOfGpu{.cpu_milli = 1000, .memory_mib = 1024, .gpus = 1, .gpu_milli = 600};
constexpr Shape kTwoGpus{.cpu_milli = 8000, .memory_mib = 8192, .gpus = 2, .gpu_milli = 1000};
constexpr Shape kNoGpu{.cpu_milli = 2000, .memory_mib = 1024};

Room room_of(std::int32_t cpu_milli, std::array<std::int32_t, kMostGpus> free, std::int32_t gpus) {
  return {.cpu_milli = cpu_milli, .memory_mib = 100'000, .free = free, .type = 1, .gpus = gpus};
}

TEST(Curve, IsTheEngines) {
  const Curve curve;
  EXPECT_EQ(curve.cost(-4596), 100);
  EXPECT_EQ(curve.cost(-4595), 99);
  EXPECT_EQ(curve.cost(-1), 51);
  EXPECT_EQ(curve.cost(0), 50);
  EXPECT_EQ(curve.cost(40), 50);
  EXPECT_EQ(curve.cost(41), 49);
  EXPECT_EQ(curve.cost(4595), 2);
  EXPECT_EQ(curve.cost(4596), 1);
}

TEST(Curve, OfAMean) {
  const Curve rounded(10), exact(10, false);
  EXPECT_EQ(rounded.cost(409), 50);
  EXPECT_EQ(rounded.cost(410), 49);
  EXPECT_EQ(exact.cost(400), 50);
  EXPECT_EQ(exact.cost(401), 49) << "the step is at 40.005 thousandths";
  EXPECT_EQ(rounded.cost(-9), 50) << "towards zero";
  EXPECT_EQ(exact.cost(-9), 51);
}

TEST(Fragments, AreWhatTypesCannotUse) {
  const Room room = room_of(10'000, {1000, 1000, 500}, 3);
  EXPECT_EQ(Fragments({{kShareOfGpu, 1}}).of(room), 500);
  EXPECT_EQ(Fragments({{kTwoGpus, 3}}).of(room), 3 * 500);
  EXPECT_EQ(Fragments({{kNoGpu, 1}}).of(room), 2500) << "it uses no GPU";
  EXPECT_EQ(Fragments({{kTwoGpus, 1}}).of(room_of(7'000, {1000, 1000}, 2)), 2000) << "too few CPUs";
  Shape elsewhere = kShareOfGpu;
  elsewhere.types = 2;
  EXPECT_EQ(Fragments({{elsewhere, 1}}).of(room), 2500);
  EXPECT_EQ(Fragments({{kShareOfGpu, 1}}, 2).of(room), 500 + 2 * 2500);
  EXPECT_EQ(Fragments({}, 2).of(room_of(0, {1000, 1000}, 2)), 0) << "whole";
}

TEST(Types, ArePublishedWithoutMemoryAndTheEnginesWithoutPodsThatNeedNoGpu) {
  Shape more = kShareOfGpu;
  more.memory_mib = 2048;
  std::vector<Shape> pods(40, kNoGpu);
  pods.insert(pods.end(), 30, kShareOfGpu);
  pods.insert(pods.end(), 26, more);
  pods.insert(pods.end(), 4, kTwoGpus);
  const PodList list = list_of("tiny", pods);
  const auto published = published_types(list);
  ASSERT_EQ(published.size(), 2U) << "96 of a hundred are enough";
  EXPECT_EQ(published[0].pods, 56);
  EXPECT_EQ(published[0].shape.memory_mib, 0);
  EXPECT_EQ(published[1].shape.gpus, 0);
  const auto engine = engine_types(list);
  ASSERT_EQ(engine.size(), 3U);
  EXPECT_EQ(engine[0].shape, kShareOfGpu);
  EXPECT_EQ(engine[2].shape, kTwoGpus);
}

// A share goes beside another where whole GPUs are wanted.
TEST(Fgd, KeepsWholeGpusWhole) {
  const PodList list = list_of("tiny", {kTwoGpus, kTwoGpus, kTwoGpus, {.cpu_milli = 1, .gpus = 1, .gpu_milli = 400}});
  const Room empty = room_of(16'000, {1000, 1000}, 2);
  const Fleet fleet{.names = {"a", "b"}, .rooms = {empty, empty}, .types = {"A"}};
  for (const bool published : {true, false}) {
    PublishedFgdPolicy one(list);
    EngineFgdPolicy other(list, fleet);
    Policy& policy = published ? static_cast<Policy&>(one) : other;
    const Room broken = room_of(16'000, {500, 1000}, 2), whole = room_of(16'000, {1000, 1000}, 2);
    policy.changed(0, whole);
    policy.changed(1, broken);
    const Shape small{.cpu_milli = 1, .gpus = 1, .gpu_milli = 400};
    EXPECT_LT(policy.offer(small, 1, broken).cost, policy.offer(small, 0, whole).cost);
  }
}

TEST(Fgd, OfTheEngineLeavesTypesToJobsThatInsistOnThem) {
  Room plain = room_of(16'000, {1000, 1000}, 2), named = plain;
  named.type = 2;
  const Fleet fleet{.names = {"a", "b"}, .rooms = {named, plain}, .types = {"plain", "named"}};
  const Shape any{.cpu_milli = 1, .gpus = 1, .gpu_milli = 1000};
  Shape insists = any;
  insists.types = 2;
  for (const auto& [list, dearer] :
       {std::pair(list_of("one", {any}), 0), std::pair(list_of("two", {any, insists}), 1)}) {
    EngineFgdPolicy policy(list, fleet);
    policy.changed(0, named);
    policy.changed(1, plain);
    const bool costs_more = policy.offer(any, 0, named).cost > policy.offer(any, 1, plain).cost;
    EXPECT_EQ(costs_more, dearer == 1);
  }
}

}  // namespace
}  // namespace ym::sim::placement
