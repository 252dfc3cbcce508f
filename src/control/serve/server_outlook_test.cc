// Forecasts are made without a request; comparisons are made on request.
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
    return execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  }
  engine::PolicyDiff compare(engine::PolicyChange change) {
    std::promise<Result<engine::PolicyDiff>> answer;
    auto diff = answer.get_future();
    server_->compare(self_, std::move(change), [&](auto result) { answer.set_value(std::move(result)); });
    return diff.get().value();
  }
};

TEST_F(ServerOutlook, AWaitingJobIsToldWhenItWillStartAndWhatWouldBeSooner) {
  const JobId blocker = submit_limited("blocker", 3, hours(2));
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(self_, waits)->predicted_start.has_value(); }));
  const auto start = *server_->why(self_, waits)->predicted_start;
  EXPECT_GE(start.median, server_->why(self_, waits)->forecast->as_of + hours(2) - minutes(1));
  EXPECT_LE(start.low, start.median);
  // A later job is looked at too, without another event.
  const JobId later = submit_limited("later", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(self_, later)->predicted_start.has_value(); }));
  EXPECT_GE(server_->why(self_, later)->predicted_start->median, start.median + minutes(30));
}

TEST_F(ServerOutlook, AStartThatShouldHaveBeenIsStillToCome) {
  const JobId blocker = submit_limited("blocker", 4, Duration{50});
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(self_, waits)->predicted_start.has_value(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  const Instant now = clock_.now();
  EXPECT_GE(server_->why(self_, waits)->predicted_start->low, now);
}

TEST_F(ServerOutlook, AChangeIsComparedAndNothingIsChanged) {
  ASSERT_TRUE(becomes(submit_limited("blocker", 3, hours(2)), JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(
      eventually([&] { return server_->reads().job(self_, waits)->job->pending == ReasonCode::waiting_for_capacity; }));
  Queue queue = server_->reads().queues(self_).at(0).queue;
  queue.stop = StopPolicy::hold;
  const auto diff = compare({.queues = {queue}});
  EXPECT_EQ(diff.waiting, 1U);
  ASSERT_EQ(diff.later.size(), 1U);
  EXPECT_EQ(diff.later.at(0).job, waits);
  EXPECT_TRUE(diff.later.at(0).before.has_value());
  EXPECT_FALSE(diff.later.at(0).after.has_value());
  EXPECT_EQ(server_->reads().queues(self_).at(0).queue.stop, StopPolicy::none);
}

TEST_F(ServerOutlook, SettingsAreComparedWithThoseThatThereAre) {
  ASSERT_TRUE(becomes(submit_limited("blocker", 3, hours(2)), JobState::starting));
  const JobId head = submit_limited("head", 4, hours(1));
  JobSpec spec = spec_of("small", 1);
  spec.time_limit = hours(9);
  spec.stop.preemptible = false;
  const JobId small = execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  ASSERT_TRUE(eventually([&] { return server_->reads().job(self_, small)->job->pending == ReasonCode::reserved; }));
  const auto diff = compare({.queues = {}, .settings = [](const engine::Policy& now) {
                               EXPECT_EQ(now.hold_margin, engine::Policy().hold_margin);
                               engine::Policy other = now;
                               other.reserve_phase = false;
                               return other;
                             }});
  EXPECT_EQ(diff.starts, std::vector<JobId>{small});
  ASSERT_EQ(diff.later.size(), 1U);
  EXPECT_EQ(diff.later.at(0).job, head);
  EXPECT_TRUE(compare({}).starts.empty());
}

TEST_F(ServerOutlook, NoRequestWaitsForAnAnswerForEver) {
  std::vector<std::future<Result<engine::PolicyDiff>>> answers;
  for (int i = 0; i < 40; ++i) {
    auto answer = std::make_shared<std::promise<Result<engine::PolicyDiff>>>();
    answers.push_back(answer->get_future());
    server_->compare(self_, {}, [answer](auto result) { answer->set_value(std::move(result)); });
  }
  server_.reset();
  for (auto& answer : answers) {
    const auto result = answer.get();
    if (result) continue;
    EXPECT_TRUE(result.error().code == ErrorCode::unavailable || result.error().code == ErrorCode::rate_limited);
  }
}

TEST_F(ServerOutlook, WhereNoStartIsKnownItIsSaidWhy) {
  ASSERT_TRUE(becomes(submit("endless", 3), JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  EXPECT_TRUE(eventually([&] { return server_->why(self_, waits)->no_estimate == engine::NoStart::no_time_limit; }));
  EXPECT_FALSE(server_->why(self_, waits)->predicted_start.has_value());
}

// It should start now; the prediction is still a range.
TEST_F(ServerOutlook, NoStartIsSaidToBeAPoint) {
  ASSERT_TRUE(becomes(submit_limited("blocker", 4, Duration{50}), JobState::starting));
  const JobId waits = submit_limited("waits", 4, hours(1));
  ASSERT_TRUE(eventually([&] { return server_->why(self_, waits)->predicted_start.has_value(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  const auto start = *server_->why(self_, waits)->predicted_start;
  ASSERT_TRUE(start.high);
  EXPECT_GE(*start.high, start.median + minutes(1));
}

TEST_F(ServerOutlook, AHeldJobIsToldNothing) {
  const JobId job = submit_limited("waits", 5, hours(1));
  ASSERT_TRUE(execute(HoldJob{job}));
  EXPECT_FALSE(server_->why(self_, job)->forecast.has_value());
}

TEST_F(ServerOutlook, AFileThatDoesNotSpeakOfAHoldDoesNotEndIt) {
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "a"}}}));
  ASSERT_TRUE(execute(SetQueueStop{.queue = "a", .stop = StopPolicy::hold}));
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "a", .weight_milli = 2000}}}));
  const auto stop_of_a = [&] {
    const auto queues = server_->reads().queues(self_);
    return std::ranges::find(queues, "a", [](const auto& view) { return view.queue.name; })->queue.stop;
  };
  EXPECT_EQ(stop_of_a(), StopPolicy::hold);
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "a"}}, .says_stop = {"a"}}));
  EXPECT_EQ(stop_of_a(), StopPolicy::none);
  EXPECT_FALSE(execute(SetQueueStop{.queue = "nowhere", .stop = StopPolicy::hold}));
  const auto seq = server_->reads().last_seq();
  ASSERT_TRUE(execute(SetQueueStop{.queue = "a", .stop = StopPolicy::none}));
  EXPECT_EQ(server_->reads().last_seq(), seq) << "nothing is said twice";
}

TEST_F(ServerOutlook, QueuesAreCheckedWithoutBeingApplied) {
  Queue orphan{.name = "a", .parent = "nowhere"};
  EXPECT_FALSE(execute(ApplyQueues{.queues = {orphan}, .dry_run = true}));
  Queue own = server_->reads().queues(self_).at(0).queue;
  own.stop = StopPolicy::hold;
  EXPECT_TRUE(execute(ApplyQueues{.queues = {own}, .dry_run = true}));
  EXPECT_EQ(server_->reads().queues(self_).at(0).queue.stop, StopPolicy::none);
}

// The members of an array are submitted before any of them has run.
TEST_F(ServerOutlook, MembersOfAnArrayLearnFromEachOther) {
  JobSpec spec = spec_of("member", 1);
  spec.array = 6;
  const auto jobs = execute(SubmitJobs{.specs = {spec}})->jobs;
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 4; }));
  EXPECT_FALSE(server_->reads().job(self_, jobs.at(5)->id)->job->predicted.has_value());
  ASSERT_TRUE(execute(HoldJob{jobs.at(5)->id}));
  for (int i = 0; i < 3; ++i) {
    const Token token = executor_.launched().at(static_cast<std::size_t>(i)).token;
    executor_.report({token, TaskIsRunning{0}});
    executor_.report({token, testing::exits(0)});
  }
  ASSERT_TRUE(eventually([&] { return server_->reads().job(self_, jobs.at(5)->id)->job->predicted.has_value(); }));
  EXPECT_EQ(server_->reads().job(self_, jobs.at(5)->id)->job->predicted->samples, 3);
  const JobId next = submit("member");
  EXPECT_EQ(server_->reads().job(self_, next)->job->predicted->samples, 3);
}

}  // namespace
}  // namespace ym
