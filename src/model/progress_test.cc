#include <gtest/gtest.h>

#include "model/progress.h"

namespace ym {
namespace {

TEST(Progress, WhatAReportDoesNotSpeakOfStays) {
  Progress progress;
  update(progress, {.step = 10, .total_steps = 100, .metrics = {{"loss", 0.5}}}, Instant{1});
  update(progress, {.step = 20, .metrics = {{"accuracy", 0.9}}}, Instant{2});
  EXPECT_EQ(progress, (Progress{20, 100, {{"accuracy", 0.9}, {"loss", 0.5}}, false, Instant{2}}));
}

TEST(Progress, ACompletionIsNotTakenBack) {
  Progress progress;
  update(progress, {.completed = true}, Instant{1});
  update(progress, {.step = 3}, Instant{2});
  EXPECT_TRUE(progress.completed);
}

}  // namespace
}  // namespace ym
