#include "login/browsing_codes.h"

#include <gtest/gtest.h>

#include "base/base64url.h"
#include "oidc/digest.h"

namespace ym::login {
namespace {

constexpr Instant kBegun{1'000'000};
const std::string kVerifier = "verifier", kAddress = "http://127.0.0.1:1/";

class BrowsingCodesTest : public ::testing::Test {
 protected:
  std::string put() {
    return codes_
        .put({.grant = {"ada", "t"}, .redirect_uri = kAddress, .challenge = to_base64url(oidc::sha256(kVerifier))},
             kBegun)
        .value();
  }
  bool take(const std::string& code, Instant now = kBegun) {
    return codes_.take(code, kVerifier, kAddress, now).has_value();
  }

  BrowsingCodes codes_;
};

TEST_F(BrowsingCodesTest, ACodeCountsOnceAndForAMinute) {
  const auto code = put();
  EXPECT_EQ(codes_.take(code, kVerifier, kAddress, kBegun)->principal, "ada");
  EXPECT_FALSE(take(code));
  EXPECT_TRUE(take(put(), kBegun + seconds(59)));
  EXPECT_FALSE(take(put(), kBegun + minutes(1)));
}

TEST_F(BrowsingCodesTest, AWrongVerifierOrAddressUsesItUp) {
  const auto first = put(), second = put();
  EXPECT_EQ(codes_.take(first, "other", kAddress, kBegun).error().code, ErrorCode::unauthenticated);
  EXPECT_FALSE(codes_.take(second, kVerifier, "http://127.0.0.1:2/", kBegun));
  EXPECT_FALSE(take(first));
  EXPECT_FALSE(take(second));
  EXPECT_FALSE(codes_.token_of(first, kBegun));
}

TEST_F(BrowsingCodesTest, TheTokenOfACodeIsKnownForAnHour) {
  const auto code = put();
  ASSERT_TRUE(take(code));
  EXPECT_FALSE(codes_.token_of(code, kBegun));
  EXPECT_TRUE(codes_.note_token(code, {"ada", "made"}, kBegun));
  EXPECT_EQ(codes_.token_of(code, kBegun + minutes(59))->token, "made");
  EXPECT_FALSE(codes_.token_of(code, kBegun + hours(1)));
  EXPECT_FALSE(codes_.token_of("unknown", kBegun));
}

TEST_F(BrowsingCodesTest, ATokenDoesNotCountIfItsCodeComesAgainBeforeItIsMade) {
  const auto code = put();
  ASSERT_TRUE(take(code));
  EXPECT_FALSE(take(code));
  EXPECT_FALSE(codes_.note_token(code, {"ada", "made"}, kBegun));
}

}  // namespace
}  // namespace ym::login
