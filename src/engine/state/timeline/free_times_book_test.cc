// FreeTimes are shared by all needs that ask the same of each node, and dropped with the last of them.
#include "engine/state/timeline/free_times_book.h"

#include <gtest/gtest.h>

#include "engine/testing/small_state.h"

namespace ym::engine {
namespace {

Hardware serving(std::vector<NodeIndex> nodes) {
  Hardware hardware;
  hardware.serving.push_back(std::move(nodes));
  return hardware;
}

GangNeed gang(std::size_t nodes, std::int64_t devices) {
  GangNeed need;
  need.rule = RuleIndex{0};
  need.task.devices = devices;
  need.nodes = nodes;
  return need;
}

TEST(FreeTimesBook, IsSharedByGangsOfAnySize) {
  const State state = small_world();
  const Inventory& inventory = state.impl().inventory;
  FreeTimesBook book;
  book.follow(inventory, {});
  FreeTimes& small = book.of(inventory, gang(1, 2), NeedIndex{0}, FlavorIndex{0}, serving({NodeIndex{0}}));
  EXPECT_EQ(&book.of(inventory, gang(5, 2), NeedIndex{1}, FlavorIndex{0}, serving({NodeIndex{0}})), &small);
  EXPECT_NE(&book.of(inventory, gang(1, 4), NeedIndex{2}, FlavorIndex{0}, serving({NodeIndex{0}})), &small)
      << "more of each node";
  EXPECT_NE(&book.of(inventory, gang(1, 2), NeedIndex{0}, FlavorIndex{1}, serving({NodeIndex{0}})), &small)
      << "another flavor";
}

TEST(FreeTimesBook, ForgetsWhatNoNeedAsksForAnyMore) {
  const State state = small_world();
  const Inventory& inventory = state.impl().inventory;
  FreeTimesBook book;
  book.follow(inventory, {});
  (void)book.of(inventory, gang(1, 2), NeedIndex{0}, FlavorIndex{0}, serving({NodeIndex{0}}));
  (void)book.of(inventory, gang(5, 2), NeedIndex{1}, FlavorIndex{0}, serving({NodeIndex{0}}));
  book.forget(NeedIndex{0});
  EXPECT_EQ(book.of(inventory, gang(5, 2), NeedIndex{1}, FlavorIndex{0}, serving({})).nodes().size(), 1U)
      << "the other still asks";
  book.forget(NeedIndex{1});
  EXPECT_TRUE(book.of(inventory, gang(5, 2), NeedIndex{1}, FlavorIndex{0}, serving({})).empty()) << "it is found anew";
}

TEST(FreeTimesBook, CountsGpusWhereSomeOfANodeAreTaken) {
  const State state = small_world();
  const Inventory& inventory = state.impl().inventory;
  const auto all = std::popcount(inventory.of_profile(NodeIndex{0}, kNone));
  FreeTimesBook book;
  book.follow(inventory, {});
  EXPECT_EQ(book.of(inventory, gang(1, 1), NeedIndex{0}, FlavorIndex{0}, serving({NodeIndex{0}})).free_steps().size(),
            1U);
  EXPECT_TRUE(
      book.of(inventory, gang(1, all), NeedIndex{1}, FlavorIndex{0}, serving({NodeIndex{0}})).free_steps().empty())
      << "a task fills it";
  EXPECT_TRUE(
      book.of(inventory, gang(1, 0), NeedIndex{2}, FlavorIndex{0}, serving({NodeIndex{0}})).free_steps().empty())
      << "it wants none";
}

}  // namespace
}  // namespace ym::engine
