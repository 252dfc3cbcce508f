// The generator itself: its events are valid and repeatable, and it reaches all of them.
#include "model/testing/random_history.h"

#include <gtest/gtest.h>

namespace ym::testing {
namespace {

TEST(RandomHistory, SameSeedSameHistory) {
  RandomHistory a(5), b(5), c(6);
  (void)a.next(500);
  for (int i = 0; i < 500; ++i) (void)b.next(1);
  (void)c.next(500);
  const auto size = std::min(a.events().size(), b.events().size());
  EXPECT_TRUE(
      std::equal(a.events().begin(), a.events().begin() + static_cast<std::ptrdiff_t>(size), b.events().begin()));
  EXPECT_NE(a.events(), c.events());
}

TEST(RandomHistory, ReachesEveryTypeAndState) {
  std::set<std::string_view> types, states;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomHistory history(seed);
    for (int i = 0; i < 100; ++i) {
      for (const auto& event : history.next(20).events) types.insert(type_name(event.payload));
      for (const auto& [id, job] : history.tables().jobs) states.insert(to_string(job.state));
    }
  }
  EXPECT_EQ(types.size(), std::variant_size_v<EventVariant>);
  EXPECT_EQ(states.size(), 10U);
}

// A reader that applies only the rows that a batch touched has the whole change.
TEST(RandomHistory, TouchedNamesEveryChangedRow) {
  const auto carry = [](auto& to, const auto& from, const auto& keys) {
    for (const auto& key : keys) {
      const auto it = from.find(key);
      if (it == from.end()) to.erase(key);
      else to.insert_or_assign(key, it->second);
    }
  };
  RandomHistory history(8);
  Tables copy;
  for (int round = 0; round < 300; ++round) {
    const auto touched = history.next(5).touched;
    const auto& tables = history.tables();
    carry(copy.jobs, tables.jobs, touched.jobs);
    carry(copy.attempts, tables.attempts, touched.attempts);
    each_named(copy, [&]<class Row>(NamedRows<Row>& rows) { carry(rows, rows_of<Row>(tables), touched.of<Row>()); });
    copy.last_seq = tables.last_seq;
    copy.last_id = tables.last_id;
    copy.epoch = tables.epoch;
    copy.last_time = tables.last_time;
    ASSERT_EQ(copy, tables) << "round " << round;
  }
}

TEST(RandomHistory, PendingIsSetExactlyWhileAJobWaits) {
  RandomHistory history(9);
  for (int round = 0; round < 500; ++round) {
    (void)history.next(3);
    for (const auto& [id, job] : history.tables().jobs)
      ASSERT_EQ(job.pending.has_value(), job.state == JobState::queued || job.state == JobState::held);
  }
}

TEST(RandomHistory, UnfinishedLeavesOutWhatHasEnded) {
  RandomHistory history(10);
  (void)history.next(2000);
  const auto rest = unfinished(history.tables());
  EXPECT_LT(rest.jobs.size(), history.tables().jobs.size());
  for (const auto& [id, job] : rest.jobs) EXPECT_FALSE(is_terminal(job.state));
  for (const auto& [key, attempt] : rest.attempts) EXPECT_TRUE(rest.jobs.contains(key.job));
}

}  // namespace
}  // namespace ym::testing
