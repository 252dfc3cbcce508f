#include "base/boxed_optional.h"

#include <gtest/gtest.h>

#include <string>

namespace ym {
namespace {

TEST(BoxedOptional, TakesThePlaceOfAPointerUntilItHasAValue) {
  struct Large {
    char bytes[1000] = {};
    bool operator==(const Large&) const = default;
  };
  EXPECT_EQ(sizeof(BoxedOptional<Large>), sizeof(void*));
  EXPECT_FALSE(BoxedOptional<Large>().has_value());
}

TEST(BoxedOptional, HoldsWhatItIsGiven) {
  BoxedOptional<std::string> one = std::string("a");
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

TEST(BoxedOptional, IsCopiedAsAValue) {
  BoxedOptional<std::string> one = std::string("a");
  BoxedOptional<std::string> other = one;
  *other = "b";
  EXPECT_EQ(*one, "a");
  one = other;
  *other = "c";
  EXPECT_EQ(*one, "b");
  const BoxedOptional<std::string>& same = one;
  one = same;
  EXPECT_EQ(*one, "b");
  one = BoxedOptional<std::string>();
  EXPECT_FALSE(one);
}

TEST(BoxedOptional, IsComparedByItsValue) {
  const BoxedOptional<std::string> none, a = std::string("a"), also_a = std::string("a"), b = std::string("b");
  EXPECT_EQ(none, BoxedOptional<std::string>());
  EXPECT_EQ(a, also_a);
  EXPECT_NE(a, b);
  EXPECT_NE(a, none);
}

TEST(RareDeathTest, IsNotAskedForWhatItHasNot) {
  const BoxedOptional<std::string> none;
  EXPECT_DEATH((void)*none, "has_value");
}

}  // namespace
}  // namespace ym
