// Tests of small classes: strong ids, results, secrets, random numbers, assertions.
#include <gmock/gmock.h>

#include <set>
#include <type_traits>
#include <unordered_set>

#include "base/assert.h"
#include "base/enum_names.h"
#include "base/random.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/strong_id.h"

namespace ym {
namespace {

using A = StrongId<struct TagA>;
using B = StrongId<struct TagB>;

TEST(StrongId, KindsDoNotMix) {
  static_assert(!std::is_convertible_v<A, B> && !std::is_constructible_v<A, B>);
  static_assert(!std::is_convertible_v<A, std::uint64_t> && !std::is_convertible_v<A, bool>);
  EXPECT_FALSE(A{});
  EXPECT_TRUE(A{1});
  EXPECT_LT(A{1}, A{2});
}

TEST(StrongId, NeighboursHashApart) {
  std::unordered_set<std::size_t> low_bits;
  for (std::uint64_t i = 1; i <= 1000; ++i) low_bits.insert(std::hash<A>{}(A{i << 20}) & 0xffff'ffff'ffff);
  EXPECT_EQ(low_bits.size(), 1000U);
}

TEST(Random, SameSeedSameNumbers) {
  // The reference values of SplitMix64 for the seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, BelowIsUniformEnough) {
  Random random(9);
  std::vector<int> counts(10);
  for (int i = 0; i < 100'000; ++i) ++counts.at(random.below(10));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_DEATH(random.below(0), "assertion failed");
}

TEST(Result, FieldErrorsNameTheirPlace) {
  const Result<int> result = fail_field("/resources/gpus", "write a whole number");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_EQ(result.error().message, "/resources/gpus: write a whole number");
  EXPECT_EQ(result.error().fields, (std::vector<FieldError>{{"/resources/gpus", "write a whole number"}}));
}

TEST(Result, CodesHaveDifferentNames) {
  std::set<std::string_view> names;
  for (const ErrorCode code : values_of<ErrorCode>()) names.insert(to_string(code));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::internal) + 1);
  EXPECT_EQ(to_string(ErrorCode::not_found), "not_found");
}

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

TEST(Secret, CannotBePrinted) {
  static_assert(!Printable<Secret> && !std::is_convertible_v<Secret, std::string>);
  EXPECT_EQ(Secret("s3").reveal(), "s3");
  EXPECT_TRUE(Secret().empty());
}

TEST(Assert, SaysWhatAndWhere) { EXPECT_DEATH(YM_ASSERT(1 + 1 == 3), "1 \\+ 1 == 3.*base_test.cc"); }

}  // namespace
}  // namespace ym
