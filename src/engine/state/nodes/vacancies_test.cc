// A search looks only at nodes of a pool that may have a free device, whatever was taken and given back meanwhile.
#include "engine/state/nodes/vacancies.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ranges>

#include "base/random.h"

namespace ym::engine {
namespace {

Node node(int number, int gpus) {
  Node node{.name = fmt::format("n{:03}", number), .cluster = "c", .gpu_type = "t4"};
  for (int i = 0; i < gpus; ++i) node.devices.push_back({.id = std::to_string(i)});
  return node;
}

class VacanciesTest : public ::testing::Test {
 protected:
  VacanciesTest() {
    inventory_.set(Cluster{.name = "c", .executor = "simulated"});
    // So that the last name does not come last.
    for (int i = kNodes; i-- > 0;) inventory_.set(node(i, 2));
  }

  const Pool& pool() const { return inventory_.pools(FlavorIndex{0})[PoolIndex{0}]; }
  std::vector<PlaceInPool> asked() {
    const auto places = *vacancies_.of(inventory_, touches_, pool());
    return {places.begin(), places.end()};
  }
  std::vector<PlaceInPool> vacant() const {
    std::vector<PlaceInPool> places;
    for (const PlaceInPool place : pool().nodes.indices())
      if (inventory_.free_devices(pool().nodes[place]) != 0) places.push_back(place);
    return places;
  }
  void take_all(NodeIndex n) {
    const std::uint64_t bits = inventory_.free_devices(n);
    inventory_.add(inventory_.used, n, need(bits), bits);
    touches_.add(n);
  }
  void give_all_back(NodeIndex n) {
    const std::uint64_t bits = inventory_.devices[n] & ~inventory_.free_devices(n);
    inventory_.remove(inventory_.used, n, need(bits), bits);
    touches_.add(n);
  }
  static NodeNeed need(std::uint64_t bits) {
    NodeNeed need;
    need.devices = std::popcount(bits);
    return need;
  }

  static constexpr int kNodes = 300;
  Inventory inventory_;
  TouchLog touches_;
  Vacancies vacancies_;
};

TEST_F(VacanciesTest, AreFoundWhateverWasTakenAndGivenBack) {
  Random random(1);
  for (const NodeIndex n : indices<NodeIndex>(kNodes)) take_all(n);
  EXPECT_TRUE(asked().empty());
  for (int i = 0; i < 3000; ++i) {
    const auto n = NodeIndex{random.below(kNodes)};
    if (random.below(3) == 0) give_all_back(n);
    else take_all(n);
    if (random.below(4) != 0) continue;
    const auto found = asked();
    EXPECT_TRUE(std::ranges::is_sorted(found));
    EXPECT_TRUE(std::ranges::includes(found, vacant()));
  }
}

// Else the list would contain all nodes in time.
TEST_F(VacanciesTest, ThoseWhoBecameFullAreDroppedOnceTheyAreMost) {
  for (const NodeIndex n : indices<NodeIndex>(kNodes)) take_all(n);
  EXPECT_TRUE(asked().empty());
  for (const NodeIndex n : indices<NodeIndex>(kNodes)) {
    give_all_back(n);
    (void)asked();
    take_all(n);
  }
  EXPECT_LT(asked().size(), kNodes / 2);
}

TEST_F(VacanciesTest, AreOthersWhenTheMachinesAre) {
  for (const NodeIndex n : indices<NodeIndex>(kNodes)) take_all(n);
  EXPECT_TRUE(asked().empty());
  inventory_.set(node(kNodes, 2));
  EXPECT_EQ(asked(), vacant());
  EXPECT_EQ(asked().size(), 1U);
}

// A copy's log has other entries: what this object has seen does not hold.
TEST_F(VacanciesTest, ACopyBeginsWithNone) {
  for (const NodeIndex n : indices<NodeIndex>(kNodes)) take_all(n);
  EXPECT_TRUE(asked().empty());
  Vacancies copied = vacancies_;
  const TouchLog log = touches_;
  give_all_back(NodeIndex{0});  // this change is in the other log alone
  EXPECT_EQ(copied.of(inventory_, log, pool())->size(), 1U);
}

TEST_F(VacanciesTest, SmallPoolsAreNotRemembered) {
  vacancies_.remember_from(kNodes + 1);
  EXPECT_EQ(vacancies_.of(inventory_, touches_, pool()), std::nullopt);
  vacancies_.remember_from(kNodes);
  EXPECT_EQ(asked(), vacant());
}

}  // namespace
}  // namespace ym::engine
