// Which checkpoint is the newest, and when it counts, for jobs with any clock.
#include "control/controller.h"
#include "control/testing/training_fixture.h"
#include "model/risk.h"

namespace ym {
namespace {

class CheckpointOrder : public testing::TrainingTest {};

TEST_F(CheckpointOrder, TheOneThatComesLastIsTheNewestWhateverTheJobsClockSays) {
  clock_.advance(minutes(10));
  const auto now = clock_.now();
  ASSERT_TRUE(report({.checkpoint = saved(1, now - minutes(1))}));
  clock_.advance(minutes(1));
  ASSERT_TRUE(report({.checkpoint = saved(2, now - minutes(5))})) << "its clock was set back";
  EXPECT_EQ(ended(id_).checkpoints.front().step, 2);
  EXPECT_EQ(ended(id_).checkpoints.front().durable_at, now - minutes(1)) << "not before the one before";
  ASSERT_TRUE(report({.checkpoint = saved(3, now - hours(5))})) << "to before its start";
  EXPECT_EQ(ended(id_).checkpoints.front().step, 3);
  EXPECT_EQ(ended(id_).checkpoints.front().durable_at, clock_.now());
  ASSERT_TRUE(report({.checkpoint = Checkpoint{.uri = "/ck/last", .durable_at = now - minutes(9)}}));
  EXPECT_EQ(ended(id_).checkpoints.front().uri, "/ck/last") << "steps are not counted by everybody";
}

// After an outage, executors repeat what they reported during it.
TEST_F(CheckpointOrder, WhatIsToldAgainDoesNotBecomeTheNewest) {
  clock_.advance(minutes(10));
  const auto now = clock_.now();
  const std::vector before{saved(1, now - minutes(1)), saved(2, now - minutes(5)), saved(3, now - minutes(4))};
  for (const auto& checkpoint : before) ASSERT_TRUE(report({.checkpoint = checkpoint}));
  const auto known = ended(id_).checkpoints;
  ASSERT_EQ(known.size(), 3U);
  clock_.advance(minutes(1));
  for (const auto& checkpoint : before) ASSERT_TRUE(report({.checkpoint = checkpoint}));
  EXPECT_EQ(ended(id_).checkpoints, known);
  ASSERT_TRUE(report({.checkpoint = saved(2, clock_.now())}));
  EXPECT_EQ(ended(id_).checkpoints.front().step, 2) << "it went back to step 1, and did it again";
}

// `date +%FT%TZ` in a shell: the save inside the grace may come in the second of the one before.
TEST_F(CheckpointOrder, DatesOfWholeSecondsLoseNoSave) {
  clock_.set({clock_.now().ms / 1000 * 1000 + 3'100});
  const Instant second{clock_.now().ms / 1000 * 1000};
  ASSERT_TRUE(report({.checkpoint = saved(1, second)}));
  clock_.advance(Duration{300});
  ASSERT_TRUE(report({.checkpoint = saved(2, second)}));
  EXPECT_EQ(ended(id_).checkpoints.front().step, 2);
  EXPECT_EQ(ended(id_).checkpoints.size(), 2U);
}

// The server's clock never goes back: after the machine's clock was set back, it is ahead of all others.
TEST_F(CheckpointOrder, BehindTheServersClockASaveCountsFromWhenItIsTold) {
  clock_.advance(minutes(3));
  ASSERT_TRUE(report({.checkpoint = saved(1, clock_.now() - hours(2))}));
  clock_.advance(seconds(10));
  const auto& row = controller_->tables().attempts.at(token_.key());
  EXPECT_EQ(saved_until(job(id_), row), clock_.now() - seconds(10));
}

TEST_F(CheckpointOrder, ACheckpointOfTheFutureIsOfNow) {
  ASSERT_TRUE(report({.checkpoint = saved(5, clock_.now() + hours(5))}));
  EXPECT_EQ(ended(id_).checkpoints.at(0).durable_at, clock_.now());
  clock_.advance(seconds(20));
  ASSERT_TRUE(report({.checkpoint = saved(6, clock_.now())})) << "so the next one is newer";
  EXPECT_EQ(ended(id_).checkpoints.at(0).step, 6);
}

}  // namespace
}  // namespace ym
