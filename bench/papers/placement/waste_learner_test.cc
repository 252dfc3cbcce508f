#include "papers/placement/waste_learner.h"

#include <gtest/gtest.h>

#include "papers/placement/arrivals.h"
#include "papers/placement/fgd_policies.h"
#include "papers/placement/fill.h"
#include "papers/placement/type_costs.h"
#include "papers/placement/waste_policy.h"

namespace ym::sim::placement {
namespace {

// Shares of 0.6 and of 0.3: what is left beside two small ones, 0.4, is of use only to another.
PodList shares() {
  const Shape large{.cpu_milli = 4000, .memory_mib = 4096, .gpus = 1, .gpu_milli = 600};
  const Shape small{.cpu_milli = 1000, .memory_mib = 1024, .gpus = 1, .gpu_milli = 300};
  const Shape eight{.cpu_milli = 64'000, .memory_mib = 65'536, .gpus = 8, .gpu_milli = 1000};
  std::vector<Shape> pods(60, large);
  pods.insert(pods.end(), 30, small);
  pods.insert(pods.end(), 3, eight);
  return list_of("shares", pods);
}

Fleet fleet() {
  Fleet fleet{.names = {}, .rooms = {}, .types = {"A"}};
  for (std::int32_t i = 0; i < 12; ++i) {
    fleet.names.push_back(std::to_string(100 + i));
    fleet.rooms.push_back({.cpu_milli = 96'000, .memory_mib = 400'000, .free = {}, .type = 1, .gpus = i < 6 ? 2 : 8});
    std::fill_n(fleet.rooms.back().free.begin(), fleet.rooms.back().gpus, kWholeGpu);
  }
  return fleet;
}

constexpr LearnOptions kQuick{.rounds = 4, .runs = 3};

TEST(LearnWaste, GivesTheSameTableAgain) {
  const auto once = learn_waste(shares(), fleet(), kQuick);
  EXPECT_EQ(once, learn_waste(shares(), fleet(), kQuick));
  LearnOptions other = kQuick;
  other.seed = 2;
  EXPECT_NE(once, learn_waste(shares(), fleet(), other));
}

TEST(LearnWaste, KnowsWhatNoJobWants) {
  const WasteTable table(learn_waste(shares(), fleet(), kQuick));
  const auto waste = [&](std::int64_t milli) { return table.of_shared(milli, 12, 12); };
  EXPECT_EQ(waste(100), 100) << "nobody asks for so little";
  EXPECT_GT(waste(400), 100) << "the first small one leaves 0.1";
}

TEST(WasteCells, AreTheTablesSteps) {
  const WasteTable table({});
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    Room room;
    room.cpu_milli = static_cast<std::int32_t>(random.below(128'000));
    room.memory_mib = static_cast<std::int32_t>(random.below(1 << 20));
    const auto idle = static_cast<std::int32_t>(1 + random.below(8000));
    const Steps steps = steps_of(room, idle);
    EXPECT_EQ(steps.cpus, table.cpu_step(room.cpu_milli, idle));
    EXPECT_EQ(steps.memory, table.memory_step(std::int64_t{room.memory_mib} << 20, idle));
  }
}

TEST(WasteCells, TakeSparseOnesToBeLikeTheirLikes) {
  Room room{.cpu_milli = 96'000, .memory_mib = 400'000, .free = {500, 1000}, .type = 1, .gpus = 2};
  const auto parts = WasteCells::parts_of(room);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].gpus, 1);
  EXPECT_EQ(parts[1].gpus, 2);
  WasteCells cells;
  for (int i = 0; i < 1000; ++i) cells.add(parts[0].cell, 200);
  const WasteTable often(cells.content({}));
  const Steps steps = steps_of(room, 1500);
  EXPECT_EQ(often.of_shared(500, steps.cpus, steps.memory), 200);
  EXPECT_EQ(often.of_shared(500, 0, 0), 200) << "like those that were seen";
  EXPECT_EQ(often.of_shared(510, 0, 0), 510) << "never seen: lost";
  EXPECT_EQ(often.of_whole(1, 0, 0), 1000);
}

TEST(TypeCosts, AreForTypesThatAreNamed) {
  Fleet two = fleet();
  two.types = {"A", "B"};
  for (std::size_t i = 0; i < 3; ++i) two.rooms[i].type = 2;
  Shape named{.cpu_milli = 1000, .memory_mib = 1024, .gpus = 1, .gpu_milli = 1000, .types = 2};
  const auto costs =
      type_costs(list_of("named", {named, named, named, {.cpu_milli = 1, .gpus = 1, .gpu_milli = 500}}), two);
  EXPECT_EQ(costs, (TypeCosts{{"B", 150}})) << "three of six GPUs are named";
}

// A table that was learned is worth something: it packs no worse than what it was learned from.
TEST(LearnWaste, PacksTheSharesTogether) {
  const PodList list = shares();
  const Fleet nodes = fleet();
  const std::int64_t capacity = nodes.capacity_milli();
  const auto content = learn_waste(list, nodes, {.rounds = 8, .runs = 4});
  double learned = 0, fgd = 0;
  for (std::uint64_t seed = 42; seed < 52; ++seed) {
    const auto arrivals = arrivals_of(list, {.capacity_milli = capacity}, seed);
    WastePolicy one(content, nodes);
    Cluster own(nodes, list, one);
    learned += fill(own, list, arrivals, capacity).allocated_at_130;
    PublishedFgdPolicy other(list);
    Cluster theirs(nodes, list, other);
    fgd += fill(theirs, list, arrivals, capacity).allocated_at_130;
  }
  EXPECT_GE(learned, fgd);
}

}  // namespace
}  // namespace ym::sim::placement
