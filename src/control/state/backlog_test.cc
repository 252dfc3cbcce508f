#include "control/state/backlog.h"

#include <gtest/gtest.h>

#include "control/state/progress_intake.h"

namespace ym {
namespace {

const Token kOne{JobId{1}, 1, 1}, kOther{JobId{2}, 1, 1};

const ProgressReport& report_of(const Observation& observation) {
  return std::get<ProgressIsReported>(observation.what).report;
}

TEST(Backlog, OfProgressAloneTheLastIsKeptWithWhatItDoesNotSpeakOf) {
  Backlog backlog;
  backlog.add({kOne, ProgressIsReported{{.total_steps = 1000, .metrics = {{"loss", 2}, {"lr", 1}}}}});
  backlog.add({kOther, ProgressIsReported{{.step = 7}}});
  for (int step = 1; step <= 500; ++step)
    backlog.add({kOne, ProgressIsReported{{.step = step, .metrics = {{"loss", 1.0 / step}}}}});
  ASSERT_EQ(backlog.size(), 2U);
  const auto kept = backlog.take();
  EXPECT_EQ(report_of(kept.at(0)).step, 7);
  EXPECT_EQ(report_of(kept.at(1)),
            (ProgressReport{.step = 500, .total_steps = 1000, .metrics = {{"loss", 1.0 / 500}, {"lr", 1}}}));
  EXPECT_TRUE(backlog.empty());
}

TEST(Backlog, OfContactTheLastWordIsKept) {
  Backlog backlog;
  for (int i = 0; i < 100; ++i) {
    backlog.add({kOne, ContactIsLost{"no answer"}});
    if (i % 2 == 1) backlog.add({kOne, ContactIsBack{}});
  }
  const auto kept = backlog.take();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<ContactIsBack>(kept.at(0).what));
}

TEST(Backlog, WhatHappenedIsKeptInOrder) {
  Backlog backlog;
  const Checkpoint saved{.uri = "/ck/5", .step = 5};
  backlog.add({kOne, ProgressIsReported{{.step = 4}}});
  backlog.add({kOne, ProgressIsReported{{.checkpoint = saved}}});
  backlog.add({kOne, ProgressIsReported{{.step = 6}}});
  backlog.add({kOne, ProgressIsReported{{.completed = true}}});
  backlog.add({kOne, TaskHasEnded{0, {}}});
  const auto kept = backlog.take();
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(report_of(kept.at(0)).checkpoint, saved);
  EXPECT_EQ(report_of(kept.at(1)).step, 6) << "not before the save of step 5";
  EXPECT_TRUE(report_of(kept.at(2)).completed);
  EXPECT_TRUE(std::holds_alternative<TaskHasEnded>(kept.at(3).what));
}

TEST(Backlog, NamesOfMetricsDoNotPileUp) {
  Backlog backlog;
  for (int i = 0; i < 10'000; ++i)
    backlog.add({kOne, ProgressIsReported{{.metrics = {{"at-" + std::to_string(i), 1}}}}});
  EXPECT_LE(report_of(backlog.take().at(0)).metrics.size(), ProgressIntake::kMetrics + 1);
}

}  // namespace
}  // namespace ym
