#include "control/state/idempotency_book.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

IdempotencyRecord record(const std::string& principal, const std::string& key, std::vector<JobId> jobs,
                         Instant at = {1}) {
  return {.principal = principal, .key = key, .request_hash = "h", .jobs = std::move(jobs), .at = at};
}

TEST(IdempotencyBook, FindsWhatARequestMade) {
  IdempotencyBook book;
  const std::vector<std::vector<JobId>> made{
      {JobId{7}}, {JobId{1}, JobId{2}, JobId{3}}, {JobId{5}, JobId{9}, JobId{10}, JobId{30}}, {}};
  for (std::size_t i = 0; i < made.size(); ++i) book.put(record("alice", std::to_string(i), made[i]));
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto found = book.find("alice", std::to_string(i), "h");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->same_request);
    EXPECT_EQ(found->jobs, made[i]);
  }
  EXPECT_FALSE(book.find("alice", "1", "another")->same_request);
}

TEST(IdempotencyBook, ANameIsThePrincipalAndTheKey) {
  IdempotencyBook book;
  book.put(record("ab", "c", {JobId{1}}));
  EXPECT_FALSE(book.find("a", "bc", "h"));
  EXPECT_FALSE(book.find("abc", "", "h"));
  EXPECT_FALSE(book.find("c", "ab", "h"));
}

TEST(IdempotencyBook, TheLastOfANameIsTrueUntilItsTimeIsOver) {
  IdempotencyBook book;
  book.put(record("alice", "k", {JobId{1}}, {10}));
  book.put(record("alice", "k", {JobId{2}}, {20}));
  book.forget_before({20});
  EXPECT_EQ(book.find("alice", "k", "h")->jobs, std::vector{JobId{2}});
  book.forget_before({21});
  EXPECT_FALSE(book.find("alice", "k", "h"));
}

}  // namespace
}  // namespace ym
