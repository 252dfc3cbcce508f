// What a cycle admits counts at once, as the stored row will have it in the next cycle.
#include "engine/quota/decayed_usage.h"

#include <gtest/gtest.h>

#include "engine/testing/small_state.h"

namespace ym::engine {
namespace {

class DecayedUsageTest : public ::testing::Test {
 protected:
  // With this many thousandths of a GPU admitted since the sample.
  DecayedUsage decayed_usage(std::int64_t entered) {
    rows_.clear();
    if (entered > 0)
      (void)enter(rows_, {.queue = "q", .user = "ann", .flavor = "default", .amounts = gpus(entered)}, {});
    return DecayedUsage({.rows = rows_,
                         .quota = state_.impl().quota,
                         .queues = state_.impl().queue_names,
                         .users = users_,
                         .flavors = state_.impl().inventory.flavor_names,
                         .machines = gpus(4 * kMilli)},
                        kUsageKept);
  }
  static ResourceVector gpus(std::int64_t milli) {
    ResourceVector amounts;
    amounts[ResourceKind::gpus] = milli;
    return amounts;
  }
  std::int64_t share(const DecayedUsage& decayed_usage) const { return decayed_usage.share_of(queue_, ann_); }

  State state_ = small_world();
  UsageRows rows_;
  Names<UserIndex> users_;
  UserIndex ann_ = users_.intern("ann");
  QueueIndex queue_ = state_.impl().queue_names.find("q");
  FlavorIndex flavor_ = state_.impl().inventory.flavor_names.find("default");
};

// Each by itself would be rounded down twice.
TEST_F(DecayedUsageTest, SeveralAdmissionsAreRoundedTogether) {
  for (std::int64_t first = 0; first < 300; first += 7)
    for (std::int64_t second = 1; second < 300; second += 11) {
      const std::int64_t stored = share(decayed_usage(first + second));
      DecayedUsage at_once = decayed_usage(first);
      at_once.admit(queue_, ann_, flavor_, gpus(second));
      ASSERT_EQ(share(at_once), stored) << first << " and " << second;
    }
}

TEST_F(DecayedUsageTest, WhatIsTakenBackNeverWas) {
  const std::int64_t before = share(decayed_usage(333));
  DecayedUsage decayed_usage = this->decayed_usage(333);
  decayed_usage.admit(queue_, ann_, flavor_, gpus(77));
  EXPECT_GT(share(decayed_usage), before);
  decayed_usage.admit(queue_, ann_, flavor_, gpus(500));
  decayed_usage.revoke(queue_, ann_, flavor_, gpus(77));
  decayed_usage.revoke(queue_, ann_, flavor_, gpus(500));
  EXPECT_EQ(share(decayed_usage), before);
}

}  // namespace
}  // namespace ym::engine
