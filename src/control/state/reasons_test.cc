#include "control/state/reasons.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym {
namespace {

using testing::expect_sentence;

TEST(Reasons, APreemptionNamesThePreemptingJobAndTheCause) {
  const Job high{.id = JobId{7}, .name = "urgent", .queue = "prod", .priority = 80};
  Job low{.id = JobId{3}, .name = "low", .queue = "prod", .priority = 50};
  using enum PreemptionCause;
  expect_sentence(why_preempted(high, low, priority));
  low.priority = 80;
  expect_sentence(why_preempted(high, low, priority));
  low.queue = "research";
  expect_sentence(why_preempted(high, low, reclaim));
}

TEST(Reasons, AReportIsSaidInAFewWords) {
  for (const ProgressReport& report : {ProgressReport{.step = 3, .total_steps = 10}, ProgressReport{.step = 3},
                                       ProgressReport{.metrics = {{"loss", 0.5}}},
                                       ProgressReport{.step = 3, .checkpoint = Checkpoint{.uri = "/ck/2", .step = 2}},
                                       ProgressReport{.step = 10, .completed = true}})
    expect_sentence(plain_reason("job:1", AttemptProgressed{{JobId{1}, 1}, report}));
}

TEST(Reasons, ASkippedCheckpointSaysWhatIsTakenInstead) {
  const Checkpoint gone{.uri = "/ck/2", .step = 200}, left{.uri = "/ck/1", .step = 100};
  expect_sentence(why_skipped(gone, &left));
  expect_sentence(why_skipped(gone, nullptr));
}

}  // namespace
}  // namespace ym
