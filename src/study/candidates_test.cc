#include "study/candidates.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "study/testing/small_site.h"

namespace ym::study {
namespace {

Result<std::vector<Candidate>> candidates(SmallSite& site, const std::vector<std::string>& policies = {}) {
  auto options = site.options();
  options.policies = policies;
  return candidates_of(options, site.listener());
}

TEST(Candidates, WithoutPoliciesTheClusterIsTheOne) {
  SmallSite site;
  const auto found = candidates(site);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().site.desired.nodes.size(), 4U);
  EXPECT_EQ(found->front().site.desired.queues.front().name, "research");
}

TEST(Candidates, APolicyReplacesQueuesAndSettingsItNames) {
  SmallSite site(std::string(kSmallCluster) + "scheduling: {age_cap: 2h, start_allowance: 30s}\n");
  const sim::TempFile queues("queues:\n  - {name: b, quota: {t4: {gpus: 8}}}\n");
  const sim::TempFile settings("scheduling: {age_cap: 1h}\n");
  const auto found = candidates(site, {queues.path(), settings.path()});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->at(0).site.desired.queues.front().name, "b");
  EXPECT_EQ(found->at(0).site.settings.age_cap, hours(2));
  EXPECT_EQ(found->at(1).site.desired.queues.front().name, "research");
  EXPECT_EQ(found->at(1).site.settings.age_cap, hours(1));
  EXPECT_EQ(found->at(1).site.settings.start_allowance, seconds(30));
}

TEST(Candidates, QuotaOfAnUnknownFlavorIsRefusedWithItsPlace) {
  SmallSite site;
  const sim::TempFile policy("queues:\n  - {name: research, quota: {h100: {gpus: 8}}}\n");
  testing::expect_refused(sim::without_path(candidates(site, {policy.path()}), policy.path()), ErrorCode::invalid,
                          "/queues/0/quota/h100");
}

TEST(Candidates, AClusterWithoutNodesIsRefused) {
  SmallSite site("clusters:\n  - {name: lab, executor: kubernetes}\n");
  const auto found = candidates(site);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::invalid);
}

TEST(Candidates, JobsMayUseQueuesButNotCohorts) {
  SmallSite site(std::string(kSmallCluster) +
                 "  - {name: lab, quota: {t4: {gpus: 0}}, children: [{name: a, quota: {t4: {gpus: 0}}}]}\n");
  const auto found = candidates(site);
  ASSERT_TRUE(found) << found.error().message;
  const auto rules = rules_of(site.options(), found->front().site);
  EXPECT_EQ(rules.queues, (std::set<std::string>{"a", "research"}));
  EXPECT_EQ(rules.gpus_per_node, 4);
}

}  // namespace
}  // namespace ym::study
