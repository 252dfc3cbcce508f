#include "control/state/job_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace ym {
namespace {

constexpr Instant kNow{1'790'000'000'500};
constexpr AttemptKey kAttempt{JobId{33}, 2};
const std::string kKey(64, 'a');

JobTokens tokens(const std::string& key = kKey) {
  auto made = JobTokens::with_key(Secret(key));
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

std::string refusal(const JobTokens& with, const std::string& token, Instant now = kNow) {
  const auto checked = with.check(Secret(token), now);
  if (checked) return "(accepted)";
  EXPECT_EQ(checked.error().code, ErrorCode::unauthenticated);
  return checked.error().message;
}

constexpr std::string_view kNotOurs = "the job token is not one of this server's";

TEST(JobTokens, NameTheirAttemptUntilTheyExpire) {
  const auto token = tokens().issue(kAttempt, kNow);
  for (const Instant now : {Instant{0}, kNow, kNow + minutes(59), kNow + JobTokens::kLifetime}) {
    const auto checked = tokens().check(token, now);
    ASSERT_TRUE(checked) << now.ms;
    EXPECT_EQ(*checked, kAttempt);
  }
  EXPECT_EQ(refusal(tokens(), token.reveal(), kNow + JobTokens::kLifetime + seconds(1)),
            "the job token has expired; read the file that YM_TOKEN_FILE names before each request");
}

TEST(JobTokens, AreWrittenAsAgreed) {
  const std::string token = tokens().issue(kAttempt, kNow).reveal();
  EXPECT_THAT(token, ::testing::MatchesRegex("ymj\\.00000011\\.2\\.1790003601\\.[A-Za-z0-9_-]{43}"));
  // A keyed BLAKE2b-256 by another implementation: hashlib.blake2b(said, key=32 * b"\xaa", digest_size=32).
  EXPECT_EQ(token, "ymj.00000011.2.1790003601.2V6d8tOWQ2j8EbQOMV4bskXlQ7dMN0QdxLrPVZFt208");
  EXPECT_TRUE(JobTokens::is_one(token));
  EXPECT_FALSE(JobTokens::is_one("ym_abc"));
}

TEST(JobTokens, OfAnotherKeyAreRefused) {
  const std::string token = tokens().issue(kAttempt, kNow).reveal();
  EXPECT_EQ(refusal(tokens(std::string(64, 'b')), token), kNotOurs);
}

TEST(JobTokens, CannotBeAltered) {
  const auto with = tokens();
  const std::string token = with.issue(kAttempt, kNow).reveal();
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (const char c : std::string_view("0123456789abcxyzABCXYZ._-\n=")) {
      std::string altered = token;
      if (altered[i] == c) continue;
      altered[i] = c;
      EXPECT_EQ(refusal(with, altered), kNotOurs) << altered;
    }
    EXPECT_EQ(refusal(with, token.substr(0, i)), kNotOurs) << i;
  }
  for (const auto* more : {"=", "\n", ".", "A", " "}) EXPECT_EQ(refusal(with, token + more), kNotOurs);
}

TEST(JobTokens, WhatIsNoneOfThemIsRefused) {
  const auto with = tokens();
  for (const std::string text : {"", "ymj", "ymj.", "ymj..", "ymj...", "ymj.....", "ym_aaaa",
                                 "ymj.00000011.2.9999999999.", "ymj.00000011.2.9999999999"})
    EXPECT_EQ(refusal(with, text), kNotOurs) << text;
  EXPECT_EQ(refusal(with, "ymj." + std::string(100'000, 'A')), kNotOurs);
}

TEST(JobTokens, KeysAreRandomAndChecked) {
  std::set<std::string> keys;
  for (int i = 0; i < 50; ++i) keys.insert(make_job_token_key().reveal());
  EXPECT_EQ(keys.size(), 50u);
  for (const auto& key : keys) EXPECT_TRUE(JobTokens::with_key(Secret(key)));
  for (const std::string& bad : {std::string(), std::string(63, 'a'), std::string(65, 'a'), std::string(66, 'a'),
                                 std::string(64, 'g'), std::string(64, 'a') + "\n"}) {
    const auto made = JobTokens::with_key(Secret(bad));
    ASSERT_FALSE(made) << bad.size();
    EXPECT_EQ(made.error().code, ErrorCode::invalid);
    EXPECT_EQ(made.error().message, "the key of job tokens must be 64 hexadecimal digits");
  }
}

}  // namespace
}  // namespace ym
