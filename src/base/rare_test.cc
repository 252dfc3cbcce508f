#include "base/rare.h"

#include <gtest/gtest.h>

#include <string>

namespace ym {
namespace {

TEST(Rare, TakesThePlaceOfAPointerUntilItHasAValue) {
  struct Large {
    char bytes[1000] = {};
    bool operator==(const Large&) const = default;
  };
  EXPECT_EQ(sizeof(Rare<Large>), sizeof(void*));
  EXPECT_FALSE(Rare<Large>().has_value());
}

TEST(Rare, HoldsWhatItIsGiven) {
  Rare<std::string> one = std::string("a");
  ASSERT_TRUE(one);
  EXPECT_EQ(*one, "a");
  EXPECT_EQ(one->size(), 1U);
  one.emplace() = "b";
  EXPECT_EQ(one.to_optional(), "b");
  one.reset();
  EXPECT_EQ(one.to_optional(), std::nullopt);
  one = std::optional<std::string>("c");
  EXPECT_EQ(*one, "c");
  one = std::nullopt;
  EXPECT_FALSE(one);
}

TEST(Rare, IsCopiedAsAValue) {
  Rare<std::string> one = std::string("a");
  Rare<std::string> other = one;
  *other = "b";
  EXPECT_EQ(*one, "a");
  one = other;
  *other = "c";
  EXPECT_EQ(*one, "b");
  const Rare<std::string>& same = one;
  one = same;
  EXPECT_EQ(*one, "b");
  one = Rare<std::string>();
  EXPECT_FALSE(one);
}

TEST(Rare, IsComparedByItsValue) {
  const Rare<std::string> none, a = std::string("a"), also_a = std::string("a"), b = std::string("b");
  EXPECT_EQ(none, Rare<std::string>());
  EXPECT_EQ(a, also_a);
  EXPECT_NE(a, b);
  EXPECT_NE(a, none);
}

TEST(RareDeathTest, IsNotAskedForWhatItHasNot) {
  const Rare<std::string> none;
  EXPECT_DEATH((void)*none, "has_value");
}

}  // namespace
}  // namespace ym
