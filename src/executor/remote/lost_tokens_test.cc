#include "executor/remote/lost_tokens.h"

#include <gtest/gtest.h>

namespace ym::remote {
namespace {

constexpr Token kLostToken{JobId{1}, 1, 7};

TEST(LostTokens, WithoutAJudgeNothingIsLost) {
  LostTokens lost;
  EXPECT_FALSE(lost.is_told());
  EXPECT_FALSE(lost.is_lost(kLostToken, {}));
  EXPECT_EQ(lost.known(kLostToken), false);
}

TEST(LostTokens, WhatIsKnownIsWhatWasAnsweredLast) {
  LostTokens lost;
  bool answer = true;
  int asked = 0;
  lost.know([&](const Token&) {
    ++asked;
    return answer;
  });
  EXPECT_EQ(lost.known(kLostToken), std::nullopt);
  EXPECT_EQ(asked, 0) << "it does not block";
  EXPECT_TRUE(lost.is_lost(kLostToken, {}));
  answer = false;
  EXPECT_TRUE(lost.is_lost(kLostToken, {})) << "for a while";
  EXPECT_EQ(lost.known(kLostToken), true);
  EXPECT_FALSE(lost.is_lost(kLostToken, Instant{} + minutes(1)));
  EXPECT_EQ(lost.known(kLostToken), false);
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace ym::remote
