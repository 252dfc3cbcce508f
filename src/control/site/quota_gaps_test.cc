#include "control/site/quota_gaps.h"

#include <gmock/gmock.h>

namespace ym {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Queue queue(const std::string& name, const std::string& parent, bool has_quota) {
  Queue made{.name = name, .parent = parent, .quota = {}, .age_cap = {}};
  if (has_quota) made.quota = QuotaList{{"t4", FlavorQuota{}}};
  return made;
}

TEST(QuotaGaps, NothingToSayWhereAllOrNoneHaveQuota) {
  EXPECT_THAT(quota_gaps({}), IsEmpty());
  EXPECT_THAT(quota_gaps({queue("a", "", false), queue("b", "", false)}), IsEmpty());
  EXPECT_THAT(quota_gaps({queue("a", "", true), queue("b", "", true)}), IsEmpty());
}

TEST(QuotaGaps, AQueueWithoutBesideOneOfItsTreeThatHasSomeOnlyBorrows) {
  const auto gaps = quota_gaps({queue("org", "", false), queue("a", "org", true), queue("b", "org", false)});
  EXPECT_THAT(gaps,
              ElementsAre(AllOf(HasSubstr("'b'"), HasSubstr("lend"), Not(HasSubstr("'a'")), Not(HasSubstr("'org'")))));
}

TEST(QuotaGaps, AQueueInATreeWithoutAnyPassesTheOthersBy) {
  const auto gaps = quota_gaps({queue("a", "", true), queue("b", "", false), queue("c", "", false)});
  EXPECT_THAT(gaps, ElementsAre(AllOf(HasSubstr("'b', 'c'"), HasSubstr("machines"))));
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
  EXPECT_THAT(quota_gaps(queues), ElementsAre(AllOf(HasSubstr("'q9'"), Not(HasSubstr("'q10'")), HasSubstr("2 more"))));
}

}  // namespace
}  // namespace ym
