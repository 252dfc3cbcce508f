#include "study/history.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/testing/sentences.h"

namespace ym::study {
namespace {

constexpr Instant kBegin{1'800'000'000'000};

// A store's jobs with one attempt each, in short pages.
class Jobs : public StoreReader {
 public:
  // Job n was submitted n minutes after kBegin.
  Job& add(JobState state = JobState::succeeded) {
    const JobId id{jobs_.size() + 1};
    Job job{.id = id, .spec = std::make_shared<const JobSpec>(spec)};
    job.owner = "ada";
    job.state = state;
    job.submitted_at = kBegin + minutes(static_cast<std::int64_t>(id.value));
    job.started_at = job.submitted_at + minutes(1);
    job.ended_at = *job.started_at + minutes(10);
    attempts_.push_back({.job = id, .number = 1, .started_at = job.started_at, .ended_at = job.ended_at});
    jobs_.push_back(std::move(job));
    return jobs_.back();
  }
  Attempt& last_attempt() { return attempts_.back(); }
  // Another attempt of the last job, which ran for this time.
  Attempt& try_again(Duration time) {
    Attempt next = attempts_.back();
    ++next.number;
    next.started_at = *next.ended_at + minutes(1);
    next.ended_at = *next.started_at + time;
    attempts_.push_back(std::move(next));
    return attempts_.back();
  }

  Result<std::optional<Job>> job(JobId) override { return std::nullopt; }
  Result<std::vector<Job>> jobs(std::span<const JobId>) override { return {}; }
  Result<std::vector<Attempt>> attempts(std::span<const JobId> ids) override {
    std::vector<Attempt> found;
    for (const auto& attempt : attempts_)
      if (std::ranges::find(ids, attempt.job) != ids.end()) found.push_back(attempt);
    return found;
  }
  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t) override {
    std::vector<Job> page;
    for (auto job = jobs_.rbegin(); job != jobs_.rend() && page.size() < 2; ++job)
      if (!filter.before || job->id < *filter.before) page.push_back(*job);
    return page;
  }
  Result<std::vector<Event>> events(const EventFilter&, std::size_t) override { return {}; }
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t, std::size_t) override {
    return std::vector<StoredEvent>();
  }

  JobSpec spec;

 private:
  std::vector<Job> jobs_;
  std::vector<Attempt> attempts_;
};

std::vector<std::string> ids_of(const std::vector<RecordedJob>& jobs) {
  std::vector<std::string> ids;
  for (const auto& job : jobs) ids.push_back(job.id);
  return ids;
}

std::vector<std::string> ids(std::initializer_list<std::uint64_t> numbers) {
  std::vector<std::string> ids;
  for (const auto number : numbers) ids.push_back(to_string(JobId{number}));
  return ids;
}

TEST(History, HasTheJobsThatStartedAndEndedInTheOrderOfSubmission) {
  Jobs jobs;
  for (int i = 0; i < 5; ++i) jobs.add();
  jobs.add().started_at.reset();
  jobs.add(JobState::running).ended_at.reset();
  const auto read = history_of(jobs, "here", {});
  ASSERT_TRUE(read);
  EXPECT_EQ(ids_of(*read), ids({1, 2, 3, 4, 5}));
  EXPECT_EQ(read->front().owner, "ada");
  EXPECT_EQ(read->front().run_time, minutes(10));
}

TEST(History, BeginsWithTheFirstJobThatWasSubmittedThen) {
  Jobs jobs;
  for (int i = 0; i < 7; ++i) jobs.add();
  const auto read = history_of(jobs, "here", kBegin + minutes(4));
  ASSERT_TRUE(read);
  EXPECT_EQ(ids_of(*read), ids({4, 5, 6, 7}));
}

TEST(History, RepeatedWorkIsNoRunTime) {
  Jobs jobs;
  jobs.spec.resources.gpus = 2 * kMilli;
  jobs.add();
  jobs.last_attempt().placement = {{.node = "n1", .devices = {"0", "1"}}};
  jobs.last_attempt().lost_gpu_ms = 2 * minutes(4).ms;  // two GPUs for 4 minutes
  EXPECT_EQ(history_of(jobs, "here", {})->front().run_time, minutes(6));
}

TEST(History, RepeatedWorkOnAShareIsNoRunTimeEither) {
  Jobs jobs;
  jobs.spec.resources.gpus = kMilli / 2;
  jobs.add();
  jobs.last_attempt().placement = {{.node = "n1", .devices = {"0"}}};
  jobs.last_attempt().lost_gpu_ms = minutes(4).ms / 2;  // half a GPU for 4 minutes
  EXPECT_EQ(history_of(jobs, "here", {})->front().run_time, minutes(6));
}

// The limit is of each attempt.
TEST(History, AJobThatReachedItsLimitAfterAPreemptionTakesTheTimeOfAllAttempts) {
  Jobs jobs;
  jobs.spec.time_limit = minutes(10);
  jobs.add(JobState::timed_out);
  jobs.last_attempt().placement.resize(1);
  jobs.try_again(minutes(10));
  EXPECT_GT(history_of(jobs, "here", {})->front().run_time, minutes(20));
}

// A job that reached its limit reaches it in the simulation too. A failed one fails there.
TEST(History, KeepsHowAJobEnded) {
  Jobs jobs;
  jobs.spec.time_limit = minutes(10);
  jobs.add(JobState::timed_out);
  jobs.add(JobState::failed);
  const auto read = history_of(jobs, "here", {});
  EXPECT_GT(read->at(0).run_time, minutes(10));
  EXPECT_TRUE(read->at(1).failed);
}

TEST(History, AMemberOfAnArrayIsASingleJob) {
  Jobs jobs;
  jobs.spec.array = 8;
  jobs.add();
  EXPECT_FALSE(history_of(jobs, "here", {})->front().spec.array);
}

TEST(History, WithoutSuchJobsIsRefused) {
  Jobs jobs;
  jobs.add();
  testing::expect_refused(history_of(jobs, "here", kBegin + hours(1)), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::study
