#include "control/state/job_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "base/testing/sentences.h"

namespace ym {
namespace {

using testing::expect_error;
using testing::expect_refused;

constexpr Instant kNow{1'790'000'000'500};
constexpr AttemptKey kAttempt{JobId{33}, 2};
const std::string kKey(64, 'a');

JobTokens tokens(const std::string& key = kKey) {
  auto made = JobTokens::with_key(Secret(key));
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

// Nothing: it is accepted.
std::optional<Error> refusal(const JobTokens& with, const std::string& token) {
  const auto checked = with.check(Secret(token), kNow);
  return checked ? std::nullopt : std::optional(checked.error());
}

Error not_ours() { return refusal(tokens(), "").value(); }

TEST(JobTokens, NameTheirAttemptUntilTheyExpire) {
  const auto token = tokens().issue(kAttempt, kNow);
  for (const Instant now : {Instant{0}, kNow, kNow + minutes(59), kNow + JobTokens::kLifetime}) {
    const auto checked = tokens().check(token, now);
    ASSERT_TRUE(checked) << now.ms;
    EXPECT_EQ(*checked, kAttempt);
  }
  expect_refused(tokens().check(token, kNow + JobTokens::kLifetime + seconds(1)), ErrorCode::unauthenticated);
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
  EXPECT_EQ(refusal(tokens(std::string(64, 'b')), token), not_ours());
}

TEST(JobTokens, CannotBeAltered) {
  const auto with = tokens();
  const std::string token = with.issue(kAttempt, kNow).reveal();
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (const char c : std::string_view("0123456789abcxyzABCXYZ._-\n=")) {
      std::string altered = token;
      if (altered[i] == c) continue;
      altered[i] = c;
      EXPECT_EQ(refusal(with, altered), not_ours()) << altered;
    }
    EXPECT_EQ(refusal(with, token.substr(0, i)), not_ours()) << i;
  }
  for (const auto* more : {"=", "\n", ".", "A", " "}) EXPECT_EQ(refusal(with, token + more), not_ours());
}

TEST(JobTokens, WhatIsNoneOfThemIsRefused) {
  const auto with = tokens();
  expect_error(not_ours(), ErrorCode::unauthenticated, "");
  for (const std::string text : {"ymj", "ymj.", "ymj..", "ymj...", "ymj.....", "ym_aaaa", "ymj.00000011.2.9999999999.",
                                 "ymj.00000011.2.9999999999"})
    EXPECT_EQ(refusal(with, text), not_ours()) << text;
  EXPECT_EQ(refusal(with, "ymj." + std::string(100'000, 'A')), not_ours());
}

TEST(JobTokens, KeysAreRandomAndChecked) {
  std::set<std::string> keys;
  for (int i = 0; i < 50; ++i) keys.insert(make_job_token_key().reveal());
  EXPECT_EQ(keys.size(), 50u);
  for (const auto& key : keys) EXPECT_TRUE(JobTokens::with_key(Secret(key)));
  for (const std::string& bad : {std::string(), std::string(63, 'a'), std::string(65, 'a'), std::string(66, 'a'),
                                 std::string(64, 'g'), std::string(64, 'a') + "\n"})
    expect_refused(JobTokens::with_key(Secret(bad)), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym
