#include "model/ids.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"

namespace ym {
namespace {

TEST(Ids, JobIdsReadBack) {
  EXPECT_EQ(to_string(JobId{1}), "00000001");
  EXPECT_EQ(parse_job_id("0000000A"), JobId{10});
  EXPECT_EQ(parse_job_id("0000000a"), JobId{10});
}

TEST(Ids, ZeroAndRubbishAreNoJobs) {
  for (const auto* text : {"00000000", "", "1", "train", "000000001", "0000000!"})
    EXPECT_EQ(parse_job_id(text), std::nullopt) << text;
}

TEST(Ids, TokensReadBack) {
  const Token token{JobId{42}, 3, 7};
  EXPECT_EQ(to_string(token), "0000001A.3.7");
  EXPECT_EQ(parse_token("0000001A.3.7"), token);
  EXPECT_EQ(token.key(), (AttemptKey{JobId{42}, 3}));
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Token any{JobId{1 + random.below(1ULL << 39)}, static_cast<std::int32_t>(1 + random.below(1000)),
                    random.next() >> random.below(64)};
    EXPECT_EQ(parse_token(to_string(any)), any);
  }
}

TEST(Ids, OtherTextsAreNoTokens) {
  for (const auto* text :
       {"", ".", "..", "0000001A", "0000001A.3", "0000001A.3.", "0000001A..7", ".3.7", "0000001A.0.7", "0000001A.-1.7",
        "0000001A.3.-7", "0000001A.3.7.1", "0000001A.3.7 ", "0000001A. 3.7", "0000001A.+3.7", "00000000.1.1",
        "0000001A.2147483648.7", "0000001A.3.18446744073709551616", "0000001A/3/7"})
    EXPECT_EQ(parse_token(text), std::nullopt) << text;
}

TEST(Ids, AttemptsOfAJobAreNeighbours) {
  EXPECT_LT((AttemptKey{JobId{1}, 9}), (AttemptKey{JobId{2}, 1}));
  EXPECT_LT((AttemptKey{JobId{1}, 1}), (AttemptKey{JobId{1}, 2}));
}

}  // namespace
}  // namespace ym
