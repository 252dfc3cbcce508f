#include "control/site/quota_gaps.h"

#include <gmock/gmock.h>

#include "base/testing/sentences.h"

namespace ym {
namespace {

using testing::expect_sentence;
using ::testing::IsEmpty;

Queue queue(const std::string& name, const std::string& parent, bool has_quota) {
  Queue made{.name = name, .parent = parent, .quota = {}, .age_cap = {}};
  if (has_quota) made.quota = QuotaList{{"t4", FlavorQuota{}}};
  return made;
}

void expect_gap(const std::vector<Queue>& queues) {
  const auto gaps = quota_gaps(queues);
  ASSERT_EQ(gaps.size(), 1U);
  expect_sentence(gaps.front());
}

TEST(QuotaGaps, NothingToSayWhereAllOrNoneHaveQuota) {
  EXPECT_THAT(quota_gaps({}), IsEmpty());
  EXPECT_THAT(quota_gaps({queue("a", "", false), queue("b", "", false)}), IsEmpty());
  EXPECT_THAT(quota_gaps({queue("a", "", true), queue("b", "", true)}), IsEmpty());
}

TEST(QuotaGaps, AQueueWithoutBesideOneOfItsTreeThatHasSomeOnlyBorrows) {
  expect_gap({queue("org", "", false), queue("a", "org", true), queue("b", "org", false)});
}

TEST(QuotaGaps, AQueueInATreeWithoutAnyPassesTheOthersBy) {
  expect_gap({queue("a", "", true), queue("b", "", false), queue("c", "", false)});
}

TEST(QuotaGaps, QuotaAboveIsSharedByThoseBelow) {
  EXPECT_THAT(quota_gaps({queue("org", "", true), queue("a", "org", false), queue("b", "org", false)}), IsEmpty());
}

TEST(QuotaGaps, AQueueThatTakesNoJobsNeedsNone) {
  auto closing = queue("b", "", false);
  closing.accepts_jobs = false;
  EXPECT_THAT(quota_gaps({queue("a", "", true), closing}), IsEmpty());
}

TEST(QuotaGaps, OfManyQueuesTenAreNamed) {
  std::vector<Queue> queues{queue("a", "", true)};
  for (int i = 0; i < 12; ++i) queues.push_back(queue("q" + std::to_string(i), "", false));
  expect_gap(queues);
}

}  // namespace
}  // namespace ym
