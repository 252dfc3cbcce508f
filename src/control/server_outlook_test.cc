// What the engine expects comes on its own, and what a change would do is answered when somebody asks.
#include <future>

#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class ServerOutlook : public testing::ControlServerTest {
 protected:
  JobId submit_limited(const std::string& name, int gpus, Duration limit) {
    JobSpec spec = spec_of(name, gpus);
    spec.time_limit = limit;
    return execute(SubmitJobs{.specs = {spec}})->jobs.at(0).id;
  }
  engine::PolicyDiff compare(engine::PolicyChange change) {
    std::promise<Result<engine::PolicyDiff>> answer;
    auto diff = answer.get_future();
    server_->compare(std::move(change), [&](auto result) { answer.set_value(std::move(result)); });
    return diff.get().value();
  }
};

TEST_F(ServerOutlook, WhoWaitsIsToldWhenHeWillStartAndWhatWouldBeSooner) {
  const JobId blocker = submit_limited("blocker", 3, hours(2));
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(waits)->predicted_start.has_value(); }));
  const auto start = *server_->why(waits)->predicted_start;
  EXPECT_GE(start.when.median, start.as_of + hours(2) - minutes(1));
  EXPECT_LE(start.when.low, start.when.median);
  // One who came later is looked at too, without anything else happening.
  const JobId later = submit_limited("later", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(later)->predicted_start.has_value(); }));
  EXPECT_GE(server_->why(later)->predicted_start->when.median, start.when.median + minutes(30));
}

TEST_F(ServerOutlook, AStartThatShouldHaveBeenIsStillToCome) {
  const JobId blocker = submit_limited("blocker", 4, Duration{50});
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(waits)->predicted_start.has_value(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  const Instant now = clock_.now();
  EXPECT_GE(server_->why(waits)->predicted_start->when.low, now);
}

TEST_F(ServerOutlook, AChangeIsComparedAndNothingIsChanged) {
  ASSERT_TRUE(becomes(submit_limited("blocker", 3, hours(2)), JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->job(waits)->job.pending == ReasonCode::waiting_for_capacity; }));
  Queue queue = server_->queues().at(0).queue;
  queue.stop = StopPolicy::hold;
  const auto diff = compare({.queues = {queue}, .policy = {}});
  EXPECT_EQ(diff.waiting, 1U);
  ASSERT_EQ(diff.later.size(), 1U);
  EXPECT_EQ(diff.later.at(0).job, waits);
  EXPECT_TRUE(diff.later.at(0).before.has_value());
  EXPECT_FALSE(diff.later.at(0).after.has_value());
  EXPECT_EQ(server_->queues().at(0).queue.stop, StopPolicy::none);
}

TEST_F(ServerOutlook, QueuesAreCheckedWithoutBeingApplied) {
  Queue orphan{.name = "a", .parent = "nowhere"};
  EXPECT_FALSE(execute(ApplyQueues{.queues = {orphan}, .dry_run = true}));
  Queue own = server_->queues().at(0).queue;
  own.stop = StopPolicy::hold;
  EXPECT_TRUE(execute(ApplyQueues{.queues = {own}, .dry_run = true}));
  EXPECT_EQ(server_->queues().at(0).queue.stop, StopPolicy::none);
}

// The members of an array are submitted before any of them has run.
TEST_F(ServerOutlook, MembersOfAnArrayLearnFromEachOther) {
  JobSpec spec = spec_of("member", 1);
  spec.array = 6;
  const auto jobs = execute(SubmitJobs{.specs = {spec}})->jobs;
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 4; }));
  EXPECT_FALSE(server_->job(jobs.at(5).id)->job.predicted.has_value());
  execute(HoldJob{jobs.at(5).id});
  for (int i = 0; i < 3; ++i) {
    const Token token = executor_.launched().at(static_cast<std::size_t>(i)).token;
    executor_.report({token, TaskIsRunning{0}});
    executor_.report({token, testing::exits(0)});
  }
  ASSERT_TRUE(eventually([&] { return server_->job(jobs.at(5).id)->job.predicted.has_value(); }));
  EXPECT_EQ(server_->job(jobs.at(5).id)->job.predicted->samples, 3);
  const JobId next = submit("member");
  EXPECT_EQ(server_->job(next)->job.predicted->samples, 3);
}

}  // namespace
}  // namespace ym
