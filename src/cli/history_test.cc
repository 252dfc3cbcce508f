#include "cli/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "base/testing/sentences.h"

namespace ym::cli {
namespace {

constexpr const char* kPreempted = R"({"id": "0000000000001", "user": "ada", "state": "SUCCEEDED",
  "submitted_at": "2026-03-01T10:00:00.000Z", "started_at": "2026-03-01T10:01:00.000Z", "ended_at": "2026-03-01T11:00:00.000Z",
  "attempts": [
    {"number": 1, "started_at": "2026-03-01T10:01:00.000Z", "ended_at": "2026-03-01T10:11:00.000Z", "lost_gpu_seconds": 480,
     "placement": [{"task": 0, "node": "n1", "devices": ["0", "1"]}, {"task": 1, "node": "n2", "devices": ["0", "1"]}]},
    {"number": 2, "started_at": "2026-03-01T10:30:00.000Z", "ended_at": "2026-03-01T11:00:00.000Z", "lost_gpu_seconds": 0,
     "placement": [{"task": 0, "node": "n1", "devices": ["0", "1"]}, {"task": 1, "node": "n2", "devices": ["0", "1"]}]}],
  "spec": {"name": "train", "queue": "research", "nodes": {"min": 1, "max": 2}, "array": 8, "resources": {"gpus": "t4:2"},
           "run": ["python3", "train.py"]}})";

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

Result<std::optional<RecordedJob>> read(const std::string& text) { return recorded_job(boost::json::parse(text)); }

TEST(History, AJobIsAsItWasSubmittedAndTakesWhatItsAttemptsDid) {
  const auto job = read(kPreempted);
  ASSERT_TRUE(job && *job) << job.error().message;
  EXPECT_EQ((*job)->id, "0000000000001");
  EXPECT_EQ((*job)->owner, "ada");
  EXPECT_EQ((*job)->run_time, minutes(10 - 2 + 30)) << "480 GPU seconds of four GPUs were lost";
  EXPECT_EQ((*job)->spec.queue, "research");
  EXPECT_EQ((*job)->spec.min_nodes, 1);
  EXPECT_FALSE((*job)->spec.array) << "each member is a job";
  EXPECT_FALSE((*job)->failed);
}

TEST(History, WhatNeverBeganOrStillRunsIsNone) {
  EXPECT_FALSE(
      read(with(kPreempted, R"("started_at": "2026-03-01T10:01:00.000Z", "ended_at": "2026-03-01T11:00:00.000Z",)",
                R"("started_at": null, "ended_at": "2026-03-01T11:00:00.000Z",)"))
          .value());
  EXPECT_FALSE(read(with(kPreempted, R"("ended_at": "2026-03-01T11:00:00.000Z",)", R"("ended_at": null,)")).value());
}

TEST(History, AFailedOneFailsAgainAndOneOutOfTimeRunsOutOfIt) {
  EXPECT_TRUE(read(with(kPreempted, "SUCCEEDED", "FAILED")).value()->failed);
  const auto out_of_time =
      with(with(kPreempted, "SUCCEEDED", "TIMED_OUT"), R"("array": 8,)", R"("time_limit": "30m",)");
  EXPECT_GT(read(out_of_time).value()->run_time, minutes(30));
}

TEST(History, ASpecThatIsNotKnownIsRefused) {
  testing::expect_refused(read(with(kPreempted, R"("array")", R"("warp")")), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::cli
