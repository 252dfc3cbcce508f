// What a cycle admits counts at once, as the stored row will have it in the next cycle.
#include "engine/quota/lately.h"

#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace ym::engine {
namespace {

class LatelyTest : public ::testing::Test {
 protected:
  // With so many thousandths of a GPU admitted since the sample.
  Lately lately(std::int64_t entered) {
    rows_.clear();
    if (entered > 0)
      (void)enter(rows_, {.queue = "q", .user = "ann", .flavor = "default", .amounts = gpus(entered)}, {});
    return Lately({.rows = rows_,
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
  std::int64_t share(const Lately& lately) const { return lately.share_of(queue_, ann_); }

  State state_ = small_world();
  UsageRows rows_;
  Names<UserIndex> users_;
  UserIndex ann_ = users_.intern("ann");
  QueueIndex queue_ = state_.impl().queue_names.find("q");
  FlavorIndex flavor_ = state_.impl().inventory.flavor_names.find("default");
};

// Each by itself would be rounded down twice.
TEST_F(LatelyTest, SeveralAdmissionsAreRoundedTogether) {
  for (std::int64_t first = 0; first < 300; first += 7)
    for (std::int64_t second = 1; second < 300; second += 11) {
      const std::int64_t stored = share(lately(first + second));
      Lately at_once = lately(first);
      at_once.admit(queue_, ann_, flavor_, gpus(second));
      ASSERT_EQ(share(at_once), stored) << first << " and " << second;
    }
}

TEST_F(LatelyTest, WhatIsTakenBackNeverWas) {
  const std::int64_t before = share(lately(333));
  Lately lately = this->lately(333);
  lately.admit(queue_, ann_, flavor_, gpus(77));
  EXPECT_GT(share(lately), before);
  lately.admit(queue_, ann_, flavor_, gpus(500));
  lately.take_back(queue_, ann_, flavor_, gpus(77));
  lately.take_back(queue_, ann_, flavor_, gpus(500));
  EXPECT_EQ(share(lately), before);
}

}  // namespace
}  // namespace ym::engine
