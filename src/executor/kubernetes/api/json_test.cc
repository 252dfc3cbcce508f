#include "executor/kubernetes/api/json.h"

#include <gtest/gtest.h>

namespace ym::kubernetes {
namespace {

TEST(Amounts, AreReadAsKubernetesWritesThem) {
  EXPECT_EQ(milli_amount("2"), 2000);
  EXPECT_EQ(milli_amount("500m"), 500);
  EXPECT_EQ(milli_amount("0.1"), 100);
  EXPECT_EQ(milli_amount("1.5"), 1500);
  EXPECT_EQ(milli_amount("1n"), 1);  // rounded up: it is not zero
  EXPECT_EQ(milli_amount("250u"), 1);
  EXPECT_EQ(whole_amount("16Gi"), std::int64_t{16} << 30);
  EXPECT_EQ(whole_amount("1.5Gi"), std::int64_t{3} << 29);
  EXPECT_EQ(whole_amount("1e3"), 1000);
  EXPECT_EQ(whole_amount("1E3"), 1000);
  EXPECT_EQ(whole_amount("12E-1"), 1);
  EXPECT_EQ(whole_amount("128974848000m"), 128974848);
  EXPECT_EQ(whole_amount("1500m"), 1);
  EXPECT_EQ(whole_amount("4M"), 4'000'000);
}

TEST(Amounts, ThatMakeNoSenseAreNone) {
  for (const auto* text : {"", "-1", "1.2.3", ".", "m", "1x", "1KiB", "0x10", " 1", "1 ", "9E", "1e99", "1e", "nan",
                           "99999999999999999999999999999999999999999999"})
    EXPECT_FALSE(whole_amount(text)) << text;
  EXPECT_FALSE(milli_amount("8192T"));
}

TEST(Json, WhatIsMissingOrOfAnotherTypeIsAsIfItWereNotThere) {
  const auto value =
      parse_json(R"({"a":{"b":"c","n":5,"f":true,"l":[1]},"t":"2026-11-24T00:00:00Z","m":{"x":"y","z":1}})");
  ASSERT_TRUE(value);
  EXPECT_EQ(text_at(*value, "/a/b"), "c");
  EXPECT_EQ(text_at(*value, "/a/n"), "");
  EXPECT_EQ(text_at(*value, "/a/b/c"), "");
  EXPECT_EQ(number_at(*value, "/a/n"), 5);
  EXPECT_FALSE(number_at(*value, "/a/b"));
  EXPECT_TRUE(true_at(*value, "/a/f"));
  EXPECT_FALSE(true_at(*value, "/a/n"));
  EXPECT_EQ(list_at(*value, "/a/l").size(), 1U);
  EXPECT_TRUE(list_at(*value, "/a/b").empty());
  EXPECT_TRUE(time_at(*value, "/t"));
  EXPECT_FALSE(time_at(*value, "/a/b"));
  EXPECT_EQ(texts_at(*value, "/m"), (std::map<std::string, std::string>{{"x", "y"}}));
}

TEST(Json, ThatIsTooDeepIsRefused) {
  EXPECT_FALSE(parse_json(std::string(10'000, '[')));
  EXPECT_FALSE(parse_json("{"));
  EXPECT_FALSE(parse_json(""));
}

}  // namespace
}  // namespace ym::kubernetes
