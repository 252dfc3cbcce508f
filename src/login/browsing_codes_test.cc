#include "login/browsing_codes.h"

#include <gtest/gtest.h>

#include "base/base64url.h"
#include "oidc/digest.h"

namespace ym::login {
namespace {

constexpr Instant kStart{1'000'000};
const std::string kVerifier = "verifier", kAddress = "http://127.0.0.1:1/";

class BrowsingCodesTest : public ::testing::Test {
 protected:
  std::string put() {
    return codes_
        .put({.grant = {"ada", "t"}, .redirect_uri = kAddress, .challenge = to_base64url(oidc::sha256(kVerifier))},
             kStart)
        .value();
  }
  bool take(const std::string& code, Instant now = kStart) {
    return codes_.take(code, kVerifier, kAddress, now).has_value();
  }

  BrowsingCodes codes_;
};

TEST_F(BrowsingCodesTest, ACodeCountsOnceAndForAMinute) {
  const auto code = put();
  EXPECT_EQ(codes_.take(code, kVerifier, kAddress, kStart)->principal, "ada");
  EXPECT_FALSE(take(code));
  EXPECT_TRUE(take(put(), kStart + seconds(59)));
  EXPECT_FALSE(take(put(), kStart + minutes(1)));
}

TEST_F(BrowsingCodesTest, AWrongVerifierOrAddressUsesItUp) {
  const auto first = put(), second = put();
  EXPECT_EQ(codes_.take(first, "other", kAddress, kStart).error().code, ErrorCode::unauthenticated);
  EXPECT_FALSE(codes_.take(second, kVerifier, "http://127.0.0.1:2/", kStart));
  EXPECT_FALSE(take(first));
  EXPECT_FALSE(take(second));
  EXPECT_FALSE(codes_.token_of(first, kStart));
}

TEST_F(BrowsingCodesTest, TheTokenOfACodeIsKnownForAnHour) {
  const auto code = put();
  ASSERT_TRUE(take(code));
  EXPECT_FALSE(codes_.token_of(code, kStart));
  EXPECT_TRUE(codes_.note_token(code, {"ada", "made"}, kStart));
  EXPECT_EQ(codes_.token_of(code, kStart + minutes(59))->token, "made");
  EXPECT_FALSE(codes_.token_of(code, kStart + hours(1)));
  EXPECT_FALSE(codes_.token_of("unknown", kStart));
}

TEST_F(BrowsingCodesTest, ATokenDoesNotCountIfItsCodeComesAgainBeforeItIsMade) {
  const auto code = put();
  ASSERT_TRUE(take(code));
  EXPECT_FALSE(take(code));
  EXPECT_FALSE(codes_.note_token(code, {"ada", "made"}, kStart));
}

}  // namespace
}  // namespace ym::login
