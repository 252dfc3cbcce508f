#include "base/boxed.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace ym {
namespace {

struct Rules {
  std::string level;
  int nodes = 1;
  bool operator==(const Rules&) const = default;
};
const Rules kRules{.level = "rack", .nodes = 4};

TEST(Boxed, TakesOnePointer) { EXPECT_EQ(sizeof(Boxed<Rules>), sizeof(void*)); }

TEST(Boxed, HasTheDefaultAtFirst) {
  const Boxed<Rules> box;
  EXPECT_EQ(*box, Rules{});
  EXPECT_EQ(box->nodes, 1);
  EXPECT_EQ(&*box, &*Boxed<Rules>{}) << "all share it";
  EXPECT_EQ(&*box, &*Boxed<Rules>{Rules{}}) << "a default that was given is not stored";
}

TEST(Boxed, IsCopiedByValue) {
  Boxed<Rules> box = kRules;
  Boxed<Rules> copy = box;
  box.edit().nodes = 8;
  EXPECT_EQ(*copy, kRules);
  copy = box;
  EXPECT_EQ(copy->nodes, 8);
  const Boxed<Rules>& same = copy;
  copy = same;
  EXPECT_EQ(copy->nodes, 8);
  copy = Boxed<Rules>{};
  EXPECT_EQ(*copy, Rules{});
}

TEST(Boxed, IsTheDefaultAfterAMove) {
  Boxed<Rules> box = kRules;
  const Boxed<Rules> other = std::move(box);
  EXPECT_EQ(*other, kRules);
  EXPECT_EQ(*box, Rules{});  // NOLINT(bugprone-use-after-move): the contract
}

TEST(Boxed, IsComparedByValue) {
  Boxed<Rules> edited;
  edited.edit();
  EXPECT_EQ(edited, Boxed<Rules>{}) << "on the heap, with the default";
  edited.edit().nodes = 2;
  EXPECT_NE(edited, Boxed<Rules>{});
  EXPECT_NE(Boxed<Rules>{}, edited);
  EXPECT_EQ(Boxed<Rules>{kRules}, Boxed<Rules>{kRules});
}

}  // namespace
}  // namespace ym
