#include "executor/local/attempt/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::local {
namespace {

std::string sample() {
  Record record{"exit"};
  record.add("token", "a.1.2");
  record.add("number", std::int64_t{-7});
  record.add("arg", "");
  record.add("arg", std::string("any\0thing\n8 x\n", 14));
  return record.encode();
}

TEST(Record, CarriesAnyBytes) {
  const auto record = Record::decode(sample(), "exit");
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->text("token"), "a.1.2");
  EXPECT_EQ(record->number("number"), -7);
  EXPECT_THAT(record->all("arg"), ::testing::ElementsAre("", std::string("any\0thing\n8 x\n", 14)));
  EXPECT_EQ(record->text("none"), std::nullopt);
  EXPECT_EQ(record->number("token"), std::nullopt);
}

TEST(Record, IsOfOneKind) { EXPECT_EQ(Record::decode(sample(), "claim").error().code, ErrorCode::corrupt); }

TEST(Record, NoPrefixDecodes) {
  const auto bytes = sample();
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(Record::decode(bytes.substr(0, n), "exit")) << n;
}

TEST(Record, NoFlippedBitDecodes) {
  const auto bytes = sample();
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    auto flipped = bytes;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    EXPECT_FALSE(Record::decode(flipped, "exit")) << i;
  }
}

TEST(Record, UnderstandsItsOwnVersionAndTheOneBefore) {
  EXPECT_TRUE(understood(kProtocolVersion));
  EXPECT_TRUE(understood(kProtocolVersion - 1));
  EXPECT_FALSE(understood(kProtocolVersion - 2));
  EXPECT_FALSE(understood(kProtocolVersion + 1));
  EXPECT_FALSE(understood(0));
}

}  // namespace
}  // namespace ym::local
