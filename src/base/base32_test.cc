#include "base/base32.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ym {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 40;

TEST(Base32, KnownValues) {
  EXPECT_EQ(encode_base32(0), "00000000");
  EXPECT_EQ(encode_base32(1), "00000001");
  EXPECT_EQ(encode_base32(31), "0000000Z");
  EXPECT_EQ(encode_base32(32), "00000010");
  EXPECT_EQ(encode_base32(kLimit - 1), "ZZZZZZZZ");
}

TEST(Base32, RoundTripsAndKeepsOrder) {
  Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    const auto a = random.next() >> (24 + random.below(40));
    const auto b = random.next() >> (24 + random.below(40));
    EXPECT_EQ(decode_base32(encode_base32(a)), a);
    EXPECT_EQ(encode_base32(a) < encode_base32(b), a < b);
  }
}

TEST(Base32, ReadsWhatPeopleWrite) {
  EXPECT_EQ(decode_base32("0000000z"), 31U);
  EXPECT_EQ(decode_base32("oooooooI"), 1U);
  EXPECT_EQ(decode_base32("OOOOOOOl"), 1U);
  EXPECT_EQ(decode_base32("0000001L"), 33U);
}

TEST(Base32, RefusesEverythingElse) {
  for (const auto* text :
       {"", "0", "0000000", "000000000", "0000000U", "0000000u", "0000000-", "0000 000", "0000000\n"})
    EXPECT_EQ(decode_base32(text), std::nullopt) << text;
  EXPECT_EQ(decode_base32(std::string(8, '\0')), std::nullopt);
  EXPECT_EQ(decode_base32("\xff\xff\xff\xff\xff\xff\xff\xff"), std::nullopt);
}

TEST(Base32, TooLargeIsABug) { EXPECT_DEATH(encode_base32(kLimit), "assertion failed"); }

}  // namespace
}  // namespace ym
