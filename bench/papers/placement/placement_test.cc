#include <gtest/gtest.h>

#include "papers/placement/arrivals.h"
#include "papers/placement/cluster.h"
#include "papers/placement/fgd_policies.h"
#include "papers/placement/fill.h"
#include "papers/placement/made_up_fleet.h"
#include "papers/placement/named_policies.h"
#include "papers/placement/plain_policies.h"

namespace ym::sim::placement {
namespace {

constexpr Shape kShare{.cpu_milli = 1000, .memory_mib = 1024, .gpus = 1, .gpu_milli = 600};
constexpr Shape kOne{.cpu_milli = 4000, .memory_mib = 4096, .gpus = 1, .gpu_milli = 1000};
constexpr Shape kTwo{.cpu_milli = 8000, .memory_mib = 8192, .gpus = 2, .gpu_milli = 1000};
constexpr Shape kNone{.cpu_milli = 2000, .memory_mib = 1024};

Room node(std::int32_t gpus, std::uint32_t type = 1) {
  Room room{.cpu_milli = 16'000 * gpus, .memory_mib = 65'536 * gpus, .free = {}, .type = type, .gpus = gpus};
  std::fill_n(room.free.begin(), gpus, kWholeGpu);
  return room;
}

TEST(Room, FitsByEachGpu) {
  Room room = node(2);
  room.take(kShare, 1);
  EXPECT_EQ(room.free[0], 400);
  EXPECT_TRUE(room.fits(kShare));
  EXPECT_FALSE(room.fits(kTwo));
  room.take(kShare, 2);
  EXPECT_EQ(room.idle_milli(), 800);
  EXPECT_FALSE(room.fits(kShare)) << "what is left of two is not one";
  room.take(kShare, 2, -1);
  EXPECT_TRUE(room.fits(kOne));
  Shape other = kOne;
  other.types = 2;
  EXPECT_FALSE(room.fits(other));
}

TEST(Room, SharesGetTheTightest) {
  Room room = node(3);
  room.free = {1000, 700, 600};
  EXPECT_EQ(tightest_gpus(room, kShare), 4);
  EXPECT_EQ(first_gpus(room, kShare), 1);
  EXPECT_EQ(tightest_gpus(room, kOne), 1);
}

TEST(Arrivals, AreTheWholeListAndClonesUpToTheLimit) {
  const PodList list = list_of("tiny", {kShare, kOne, kOne, kTwo, kNone});
  const ArrivalOptions options{.capacity_milli = 20'000};
  const auto pods = arrivals_of(list, options, 42);
  EXPECT_EQ(pods, arrivals_of(list, options, 42));
  EXPECT_NE(pods, arrivals_of(list, options, 43));
  std::int64_t demand = 0;
  std::vector<std::int64_t> count(list.shapes.size());
  for (const ShapeId pod : pods) {
    demand += list.shapes[pod].total_milli();
    count[pod] += 1;
  }
  EXPECT_LE(demand, 26'000);
  EXPECT_GT(demand, 24'000);
  for (std::size_t i = 0; i < count.size(); ++i) EXPECT_GE(count[i], list.count[i]);
}

TEST(Arrivals, PrunesWhatIsTooMuch) {
  const PodList list = list_of("tiny", std::vector<Shape>(100, kTwo));
  EXPECT_EQ(arrivals_of(list, {.capacity_milli = 20'000}, 42).size(), 13U);
}

// Every policy leaves the books right and places what fits.
TEST(Cluster, PlacesWhateverFits) {
  const Fleet fleet = fleet_of({node(2), node(2), node(8), node(4, 2)});
  const PodList list = list_of("tiny", {kShare, kOne, kTwo, kNone});
  auto policies = compared_policies(list);
  policies.push_back(engine_fgd(list));
  policies.push_back(final_waste({}));
  for (const NamedPolicy& policy : policies) {
    const auto own = policy.make(1, fleet);
    Cluster cluster(fleet, list, *own);
    std::vector<std::pair<ShapeId, Place>> placed;
    Random random(7);
    for (int step = 0; step < 2000; ++step) {
      const auto pod = static_cast<ShapeId>(random.below(list.shapes.size()));
      const bool fits =
          std::ranges::any_of(cluster.rooms(), [&](const Room& room) { return room.fits(list.shapes[pod]); });
      const auto place = cluster.place(pod);
      ASSERT_EQ(place.has_value(), fits) << policy.name;
      if (place) placed.emplace_back(pod, *place);
      for (const Room& room : cluster.rooms()) ASSERT_GE(std::ranges::min(room.free), 0) << policy.name;
      if (placed.size() < 10 || random.below(2) == 0) continue;
      std::swap(placed[random.below(placed.size())], placed.back());
      cluster.release(placed.back().first, placed.back().second);
      placed.pop_back();
    }
    for (const auto& [pod, place] : placed) cluster.release(pod, place);
    EXPECT_EQ(cluster.allocated_milli(), 0) << policy.name;
  }
}

// What is kept of costs is what would be found anew.
TEST(Cluster, RemembersCostsUntilTheyChange) {
  const Fleet fleet = fleet_of({node(2), node(8), node(8), node(4), node(1)});
  const PodList list = list_of("tiny", {kShare, kOne, kTwo, kShare, kNone});
  PublishedFgdPolicy one(list), other(list);
  Cluster kept(fleet, list, one);
  Random random(3);
  std::vector<std::pair<ShapeId, Place>> placed;
  for (int step = 0; step < 200; ++step) {
    Cluster anew(fleet, list, other);
    const auto pod = static_cast<ShapeId>(random.below(list.shapes.size()));
    Fleet now = fleet;
    now.rooms = kept.rooms();
    Cluster same(now, list, other);
    const auto a = kept.place(pod), b = same.place(pod);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    EXPECT_EQ(a->node, b->node);
    EXPECT_EQ(a->gpus, b->gpus);
    placed.emplace_back(pod, *a);
    if (placed.size() < 12) continue;
    kept.release(placed.front().first, placed.front().second);
    placed.erase(placed.begin());
  }
}

// Of two that are equal to the curve, best fit takes the one with the least free, the other the smaller one.
TEST(Costs, HaveTheirSecondKeys) {
  Room large = node(8), small = node(2);
  large.free = {1000};
  EXPECT_LT(score_then_best_fit(50, large), score_then_best_fit(50, small));
  EXPECT_GT(score_then_small_nodes(50, large), score_then_small_nodes(50, small));
  EXPECT_LT(score_then_best_fit(49, small), score_then_best_fit(50, large));
  Room fewer = small;
  fewer.cpu_milli -= 1;
  EXPECT_LT(score_then_small_nodes(50, fewer), score_then_small_nodes(50, small));
}

TEST(Fill, CountsServedJobs) {
  const Fleet fleet = fleet_of({node(2)});
  const PodList list = list_of("tiny", {kTwo, kOne, kShare});
  BestFitPolicy policy;
  Cluster cluster(fleet, list, policy);
  const auto id = [&](const Shape& shape) {
    return static_cast<ShapeId>(std::ranges::find(list.shapes, shape) - list.shapes.begin());
  };
  const std::vector<ShapeId> arrivals{id(kShare), id(kTwo), id(kOne)};
  const FillResult result = fill(cluster, list, arrivals, 3600);
  EXPECT_DOUBLE_EQ(result.allocated_at_100, 100 * 1600.0 / 3600);
  EXPECT_EQ(result.served[static_cast<std::size_t>(PodClass::several_gpus)].placed, 0);
  EXPECT_EQ(result.served[static_cast<std::size_t>(PodClass::small_share)].placed, 1);
  EXPECT_DOUBLE_EQ(result.served[static_cast<std::size_t>(PodClass::one_gpu)].percent(), 100);
}

}  // namespace
}  // namespace ym::sim::placement
