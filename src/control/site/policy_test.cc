// Settings of the site that are set while the server runs.
#include "control/site/policy.h"

#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::one_node;

class SitePolicy : public testing::ControlServerTest {
 protected:
  void apply(const PolicySettings& settings) { ASSERT_TRUE(execute(ApplyPolicy{.settings = settings})); }

  // A job for the whole node has waited for longer than the age cap, so it blocks the backfill of the small one.
  bool head_is_passed() {
    const JobId small = submit("small", 1);
    EXPECT_TRUE(eventually([&] {
      const Job job = server_->reads().job(self_, small)->job;
      return job.state != JobState::queued || job.pending != ReasonCode::pending_evaluation;
    }));
    const bool passed = server_->reads().job(self_, small)->job->state != JobState::queued;
    if (!passed) EXPECT_TRUE(execute(CancelJob{small}));
    else end(small);
    return passed;
  }

  void end(JobId job) {
    const auto launched = [&] {
      const auto all = executor_.launched();
      return std::ranges::any_of(all, [&](const auto& one) { return one.token.job == job; });
    };
    ASSERT_TRUE(eventually(launched));
    for (const auto& launch : executor_.launched())
      if (launch.token.job == job) executor_.report({launch.token, testing::exits(0)});
    ASSERT_TRUE(becomes(job, JobState::succeeded));
  }
};

TEST_F(SitePolicy, WhatIsSetGoesBeforeTheFile) {
  server_->reconfigure(one_node(), {.age_cap = hours(2), .resizing = Resizing::off});
  apply({.age_cap = minutes(5)});
  apply({.scoring = Scoring::pack});
  ASSERT_TRUE(eventually([&] { return server_->reads().policy(self_).file.age_cap == hours(2); }));
  EXPECT_EQ(server_->reads().policy(self_).set, (PolicySettings{.age_cap = minutes(5), .scoring = Scoring::pack}))
      << "what is left out stays as it is";
  const auto all = policy_of(over(server_->reads().policy(self_).set, server_->reads().policy(self_).file));
  EXPECT_EQ(all.age_cap, minutes(5));
  EXPECT_EQ(all.resizing, Resizing::off);
}

TEST_F(SitePolicy, TheEngineDecidesByIt) {
  const JobId blocker = submit("blocker", 3);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId head = submit("head", 4);
  ASSERT_TRUE(
      eventually([&] { return server_->reads().job(self_, head)->job->pending == ReasonCode::waiting_for_capacity; }));
  EXPECT_TRUE(head_is_passed());
  apply({.age_cap = Duration{1}});
  EXPECT_TRUE(eventually([&] { return !head_is_passed(); }));
  ASSERT_TRUE(execute(ResetPolicy{}));
  EXPECT_TRUE(eventually([&] { return head_is_passed(); }));
}

TEST_F(SitePolicy, ItOutlivesARestart) {
  apply({.preemptions_per_hour = 2});
  start();
  EXPECT_EQ(server_->reads().policy(self_).set, (PolicySettings{.preemptions_per_hour = 2}));
  ASSERT_TRUE(execute(ResetPolicy{}));
  start();
  EXPECT_EQ(server_->reads().policy(self_).set, PolicySettings());
}

TEST_F(SitePolicy, QueuesAndSettingsAreAppliedTogetherOrNotAtAll) {
  const ApplyPolicy orphan{.settings = {.age_cap = minutes(5)},
                           .queues = {.queues = {{.name = "a", .parent = "none"}}}};
  EXPECT_FALSE(execute(orphan));
  EXPECT_EQ(server_->reads().policy(self_).set, PolicySettings());
  ASSERT_TRUE(execute(ApplyPolicy{.settings = {.age_cap = minutes(5)}, .queues = {.queues = {{.name = "a"}}}}));
  EXPECT_EQ(server_->reads().policy(self_).set.age_cap, minutes(5));
  EXPECT_EQ(
      std::ranges::count(server_->reads().queues(self_), "a", [](const QueueView& view) { return view.queue.name; }),
      1);
}

TEST_F(SitePolicy, WhatHoldsAlreadyIsNoChange) {
  apply({.age_cap = minutes(5)});
  const auto seq = server_->reads().last_seq();
  apply({.age_cap = minutes(5)});
  ASSERT_TRUE(execute(ApplyPolicy{}));
  EXPECT_EQ(server_->reads().last_seq(), seq);
  ASSERT_TRUE(execute(ResetPolicy{}));
  EXPECT_EQ(server_->reads().last_seq(), seq + 1);
  ASSERT_TRUE(execute(ResetPolicy{}));
  EXPECT_EQ(server_->reads().last_seq(), seq + 1);
}

}  // namespace
}  // namespace ym
