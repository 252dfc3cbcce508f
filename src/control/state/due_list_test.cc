#include "control/state/due_list.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

TEST(DueList, HandsOutTheEarliestThatIsDue) {
  DueList<int> list;
  EXPECT_FALSE(list.next());
  EXPECT_FALSE(list.due({1'000}));
  list.set(1, {30});
  list.set(2, {20});
  list.set(3, {20});
  EXPECT_EQ(list.next(), Instant{20});
  EXPECT_FALSE(list.due({19}));
  EXPECT_EQ(list.due({20}), 2);
  list.erase(2);
  list.erase(2);
  EXPECT_EQ(list.due({50}), 3);
  list.set(3, {40});
  EXPECT_EQ(list.due({50}), 1) << "a key has one time only";
  list.erase(1);
  list.erase(3);
  EXPECT_FALSE(list.next());
}

}  // namespace
}  // namespace ym
