#include "base/whole_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ym {
namespace {

TEST(WholeNumber, IsTheWholeText) {
  EXPECT_EQ(whole_number<std::int32_t>("42"), 42);
  EXPECT_EQ(whole_number<std::int32_t>("-42"), -42);
  EXPECT_EQ(whole_number<std::uint64_t>("18446744073709551615"), UINT64_MAX);
}

TEST(WholeNumber, AnythingElseIsNone) {
  for (const auto* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "-", "2147483648"})
    EXPECT_EQ(whole_number<std::int32_t>(text), std::nullopt) << text;
  EXPECT_EQ(whole_number<std::uint64_t>("-1"), std::nullopt);
}

}  // namespace
}  // namespace ym
