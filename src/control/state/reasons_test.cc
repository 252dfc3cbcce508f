#include "control/state/reasons.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

TEST(Reasons, APreemptionSaysForWhomAndByWhatRight) {
  const Job high{.id = JobId{7}, .name = "urgent", .queue = "prod", .priority = 80};
  Job low{.id = JobId{3}, .name = "low", .queue = "prod", .priority = 50};
  const auto for_whom = "preempted for job " + to_string(JobId{7}) + " (urgent) of queue prod: ";
  using enum PreemptionCause;
  EXPECT_EQ(why_preempted(high, low, priority), for_whom + "its priority is 80, this job's 50");
  low.priority = 80;
  EXPECT_EQ(why_preempted(high, low, priority), for_whom + "it was submitted earlier");
  low.queue = "research";
  EXPECT_EQ(why_preempted(high, low, reclaim), for_whom + "that queue takes back quota that it had lent");
}

TEST(Reasons, AReportIsSaidInAFewWords) {
  const auto said = [](ProgressReport report) {
    return plain_reason("job:1", AttemptProgressed{{JobId{1}, 1}, std::move(report)});
  };
  EXPECT_EQ(said({.step = 3, .total_steps = 10}), "step 3 of 10");
  EXPECT_EQ(said({.step = 3}), "step 3");
  EXPECT_EQ(said({.metrics = {{"loss", 0.5}}}), "reports on its progress");
  EXPECT_EQ(said({.step = 3, .checkpoint = Checkpoint{.uri = "/ck/2", .step = 2}}), "saved step 2 as /ck/2");
  EXPECT_EQ(said({.step = 10, .completed = true}), "it has completed");
}

TEST(Reasons, ASkippedCheckpointSaysWhatIsTakenInstead) {
  const Checkpoint gone{.uri = "/ck/2", .step = 200}, left{.uri = "/ck/1", .step = 100};
  EXPECT_EQ(why_skipped(gone, &left),
            "the checkpoint /ck/2 (step 200) is not there any more; resumes from /ck/1 (step 100)");
  EXPECT_EQ(why_skipped(gone, nullptr),
            "the checkpoint /ck/2 (step 200) is not there any more; starts from the beginning");
}

}  // namespace
}  // namespace ym
