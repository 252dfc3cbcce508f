#include "control/commands/cancel_jobs.h"

#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::spec_of;

class CancelMany : public testing::ControllerTest {
 protected:
  std::vector<JobId> submit_many(std::size_t count) {
    std::vector<JobId> ids;
    for (std::size_t i = 0; i < count; ++i) ids.push_back(submit(spec_of("j" + std::to_string(i), 4)));
    return ids;
  }
};

TEST_F(CancelMany, OneCommandEndsThemAll) {
  const auto ids = submit_many(50);
  const auto reply = execute(CancelJobs{ids});
  ASSERT_EQ(reply->jobs.size(), 50U);
  EXPECT_TRUE(reply->refused.empty());
  for (const auto id : ids) EXPECT_EQ(ended(id).state, JobState::cancelled);
}

TEST_F(CancelMany, EachOfTheOthersIsRefusedByItself) {
  const JobId over = submit(spec_of("over", 4));
  schedule();
  observe(executor_.launched().at(0).token, exits(0));
  const JobId waits = submit(spec_of("waits", 4)), gone = submit(spec_of("gone", 4));
  ASSERT_TRUE(execute(CancelJob{gone}));
  const auto reply = execute(CancelJobs{{over, JobId{999}, waits, waits, gone}});
  ASSERT_EQ(reply->jobs.size(), 2U) << "the one that waits, once; and the one that was cancelled before";
  ASSERT_EQ(reply->refused.size(), 2U);
  EXPECT_EQ(reply->refused.at(0).job, over);
  EXPECT_EQ(reply->refused.at(0).error.code, ErrorCode::conflict);
  EXPECT_EQ(reply->refused.at(1).job, JobId{999});
  EXPECT_EQ(reply->refused.at(1).error.code, ErrorCode::not_found);
}

TEST_F(CancelMany, WhatRunsIsStopped) {
  const JobId runs = submit(spec_of("runs", 4)), waits = submit(spec_of("waits", 4));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  const auto reply = execute(CancelJobs{{runs, waits}});
  ASSERT_EQ(reply->jobs.size(), 2U);
  EXPECT_EQ(job(runs).state, JobState::stopping);
  EXPECT_EQ(ended(waits).state, JobState::cancelled);
  ASSERT_EQ(executor_.stopped().size(), 1U);
  EXPECT_TRUE(execute(CancelJobs{{runs}})->refused.empty()) << "said twice, without harm";
  EXPECT_EQ(execute(CancelJobs{})->jobs.size(), 0U);
}

}  // namespace
}  // namespace ym
