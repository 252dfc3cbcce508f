#include "papers/ceiling/ceiling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "papers/placement/arrivals.h"
#include "papers/placement/fill.h"
#include "papers/placement/made_up_fleet.h"
#include "papers/placement/named_policies.h"
#include "papers/placement/waste_learner.h"

namespace ym::sim::placement {
namespace {

Room node(std::int32_t gpus, std::uint32_t type = 1) {
  Room room{.cpu_milli = 8000 * gpus, .memory_mib = 32'000 * gpus, .free = {}, .type = type, .gpus = gpus};
  std::fill_n(room.free.begin(), gpus, kWholeGpu);
  return room;
}

Shape pod(std::int32_t gpus, std::int32_t gpu_milli, std::int32_t cpu_milli = 100) {
  return {.cpu_milli = cpu_milli, .memory_mib = 100, .gpus = gpus, .gpu_milli = gpu_milli};
}

double ceiling_of(const PodList& list, const Fleet& fleet, const CeilingOptions& options) {
  const auto found = ceiling(list, fleet, list.pods, options);
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(-1);
}

TEST(Ceiling, KnowsThatWhatFitsIsPlaced) {
  const PodList list = list_of("tiny", {pod(1, 810), pod(1, 1000)});
  EXPECT_NEAR(ceiling_of(list, fleet_of({node(1)}), {.at_percent = 200}), 81, 1e-6) << "100 if the share is declined";
}

TEST(Ceiling, CountsWhatHasArrivedOnly) {
  const PodList list = list_of("tiny", std::vector<Shape>(12, pod(1, 1000)));
  const Fleet fleet = fleet_of({node(8), node(2)});
  EXPECT_NEAR(ceiling_of(list, fleet, {.at_percent = 70}), 70, 1e-6);
  EXPECT_NEAR(ceiling_of(list, fleet, {.at_percent = 120}), 100, 1e-6);
}

TEST(Ceiling, CutsGpusIntoPieces) {
  const PodList list = list_of("tiny", std::vector<Shape>(8, pod(1, 600)));
  EXPECT_NEAR(ceiling_of(list, fleet_of({node(4)}), {.at_percent = 200}), 60, 1e-6);
}

TEST(Ceiling, KnowsCpusMemoryAndTypes) {
  const Fleet fleet = fleet_of({node(2), node(2, 2)});
  EXPECT_NEAR(ceiling_of(list_of("tiny", std::vector<Shape>(4, pod(1, 1000, 16'000))), fleet, {}), 50, 1e-6);
  Shape large = pod(1, 1000);
  large.memory_mib = 40'000;
  EXPECT_NEAR(ceiling_of(list_of("tiny", std::vector<Shape>(4, large)), fleet, {}), 75, 1e-6)
      << "3.2 of them have memory, but whole ones are refused";
  Shape picky = pod(1, 1000);
  picky.types = 2;
  EXPECT_NEAR(ceiling_of(list_of("tiny", std::vector<Shape>(4, picky)), fleet, {}), 50, 1e-6);
  picky.types = 0;
  EXPECT_NEAR(ceiling_of(list_of("tiny", {picky, pod(1, 500)}), fleet, {}), 12.5, 1e-6);
}

TEST(Ceiling, IsNothingWhereNoJobWantsGpus) {
  EXPECT_NEAR(ceiling_of(list_of("tiny", {pod(0, 0)}), fleet_of({node(1)}), {}), 0, 1e-6);
}

TEST(Ceiling, FallsWithMoreProgramsAndProbes) {
  const PodList list = list_of("tiny", {pod(1, 810), pod(1, 300), pod(1, 1000, 3000), pod(2, 1000), pod(0, 0, 9000)});
  const Fleet fleet = fleet_of({node(4), node(8)});
  const auto arrivals = arrivals_of(list, {.capacity_milli = fleet.capacity_milli()}, 42);
  const auto one = usual_probes(list).front();
  double before = 100;
  for (const std::int64_t programs : {1, 5, 20}) {
    const auto found = ceiling(list, fleet, arrivals, {.probes = {one}, .most_programs = programs});
    ASSERT_TRUE(found);
    EXPECT_LE(*found, before + 1e-9);
    before = *found;
  }
  const auto both = ceiling(list, fleet, arrivals, {.most_programs = 500});
  const auto alone = ceiling(list, fleet, arrivals, {.probes = {one}, .most_programs = 500});
  EXPECT_LE(*both, *alone + 1e-9);
}

// Random worlds, in which CPUs or memory may be the least.
PodList random_list(Random& random) {
  std::vector<Shape> pods;
  for (int i = 0; i < 6; ++i) {
    const auto kind = random.below(6);
    Shape one = pod(kind == 0 ? 0 : kind == 1 ? 2 : 1, kind < 3 ? kWholeGpu : 0);
    if (kind == 0) one.gpu_milli = 0;
    if (kind >= 3) one.gpu_milli = 100 + 10 * static_cast<std::int32_t>(random.below(85));
    one.cpu_milli = static_cast<std::int32_t>(random.below(6000));
    one.memory_mib = static_cast<std::int32_t>(random.below(24'000));
    if (one.gpus > 0 && random.below(4) == 0) one.types = 1U + static_cast<std::uint32_t>(random.below(2));
    pods.insert(pods.end(), 1 + random.below(3), one);
  }
  pods.push_back(pod(1, 400));
  return list_of("random", pods);
}

// The most that can be allocated when each pod that fits is placed somewhere.
std::int64_t most_allocated(std::vector<Room>& rooms, const PodList& list, std::span<const ShapeId> arrivals) {
  if (arrivals.empty()) return 0;
  const Shape& shape = list.shapes[arrivals.front()];
  std::int64_t best = -1;
  for (Room& room : rooms) {
    if (!room.fits(shape)) continue;
    for (std::size_t i = 0; i < kMostGpus; ++i) {
      // GPUs from the i-th on; of one that is to be shared, each.
      Room behind = room;
      if (shape.shares()) std::fill_n(behind.free.begin(), i, -1);
      if ((i > 0 && !shape.shares()) || !behind.fits(shape)) break;
      const GpuMask gpus = first_gpus(behind, shape);
      room.take(shape, gpus);
      best = std::max(best, shape.total_milli() + most_allocated(rooms, list, arrivals.subspan(1)));
      room.take(shape, gpus, -1);
    }
  }
  return best >= 0 ? best : most_allocated(rooms, list, arrivals.subspan(1));
}

TEST(Ceiling, IsAboveAllThatCanBeDoneInSmallWorlds) {
  std::int64_t tight = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const PodList list = random_list(random);
    Fleet fleet = fleet_of({node(2), node(1, 2)});
    auto arrivals = arrivals_of(list, {.capacity_milli = fleet.capacity_milli()}, seed);
    if (arrivals.size() > 9) arrivals.resize(9);
    const auto bound = ceiling(list, fleet, arrivals, {.at_percent = 130});
    ASSERT_TRUE(bound) << bound.error().message;
    const auto most = static_cast<double>(most_allocated(fleet.rooms, list, arrivals));
    const double percent = 100 * most / static_cast<double>(fleet.capacity_milli());
    EXPECT_LE(percent, *bound + 1e-9) << "seed " << seed;
    tight += percent > *bound - 1e-6;
  }
  EXPECT_GE(tight, 10) << "it is often reached, so that a ceiling that is too low would be seen";
}

void expect_below(const PodList& list, const Fleet& fleet, const std::vector<NamedPolicy>& policies, std::uint64_t seed,
                  std::int64_t programs) {
  const std::int64_t capacity = fleet.capacity_milli();
  const auto arrivals = arrivals_of(list, {.capacity_milli = capacity}, seed);
  const auto at_130 = ceiling(list, fleet, arrivals, {.most_programs = programs});
  const auto at_100 = ceiling(list, fleet, arrivals, {.at_percent = 100, .most_programs = programs});
  ASSERT_TRUE(at_130 && at_100);
  for (const NamedPolicy& policy : policies) {
    const auto own = policy.make(seed, fleet);
    Cluster cluster(fleet, list, *own);
    const FillResult run = fill(cluster, list, arrivals, capacity);
    EXPECT_LE(run.allocated_at_100, *at_100 + 1e-9) << policy.name << ", seed " << seed;
    EXPECT_LE(static_cast<double>(100 * cluster.allocated_milli()) / static_cast<double>(capacity), *at_130 + 1e-9)
        << policy.name << ", seed " << seed;
  }
}

TEST(Ceiling, IsAboveAllPolicies) {
  const Fleet fleet = fleet_of({node(2), node(2), node(8), node(4, 2), node(1)});
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const PodList list = random_list(random);
    auto policies = compared_policies(list);
    policies.push_back(final_waste(learn_waste(list, fleet, {.rounds = 1, .runs = 1})));
    expect_below(list, fleet, policies, seed, 60);
  }
}

TEST(Ceiling, IsAboveFgdOnItsTrace) {
  const std::string folder = std::string(YM_SOURCE_DIR) + "/../shared/traces/openb-fgd-2023";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the published traces are not here";
  const auto fleet = read_fleet(folder + "/openb_node_list_gpu_node.csv.gz");
  ASSERT_TRUE(fleet) << fleet.error().message;
  const auto list = read_pods(folder + "/openb_pod_list_gpushare60.csv.gz", *fleet);
  ASSERT_TRUE(list) << list.error().message;
  expect_below(*list, *fleet, {published_fgd(*list)}, 42, 15);
}

}  // namespace
}  // namespace ym::sim::placement
