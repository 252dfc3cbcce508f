// Saves that are gone at the next launch: the work that they kept is lost after all.
#include "control/controller.h"
#include "control/testing/lost_work_fixture.h"

namespace ym {
namespace {

class LostSaves : public testing::LostWorkTest {};

TEST_F(LostSaves, ASaveThatIsGoneTakesTheWorkWithIt) {
  const JobId id = train();
  for (const std::int64_t step : {10, 20}) {
    clock_.advance(minutes(1));
    save(id, step);
  }
  clock_.advance(minutes(1));
  crash(id);
  EXPECT_EQ(lost(id), on_all_gpus(minutes(1) + kRestart));
  plan_admissions();
  clock_.advance(hours(1));
  controller_->set_restart_cost(hours(1));  // from now on: earlier losses are recorded already
  skip_newest(id);
  EXPECT_EQ(lost(id), on_all_gpus(minutes(2) + kRestart));
  const std::vector<FurtherLoss> more{{1, on_all_gpus(minutes(1))}};
  EXPECT_EQ(std::get<CheckpointSkipped>(events_.back().payload).further_losses, more);
  skip_newest(id);
  EXPECT_EQ(lost(id), on_all_gpus(minutes(3) + kRestart)) << "it begins anew";
  EXPECT_EQ(lost(id, 2), std::nullopt) << "it has not ended";
}

TEST_F(LostSaves, OfAttemptsBeforeThatOnlyWhatTheyHadKeptIsLost) {
  const JobId id = train();
  clock_.advance(minutes(1));
  save(id, 10);
  clock_.advance(minutes(1));
  crash(id);
  run_again(id);
  clock_.advance(minutes(3));
  save(id, 20);
  crash(id);
  run_again(id);
  clock_.advance(minutes(5));
  crash(id);
  plan_admissions();
  EXPECT_EQ(lost(id, 2), on_all_gpus(kRestart));
  EXPECT_EQ(lost(id, 3), on_all_gpus(minutes(5) + kRestart));
  skip_newest(id);
  EXPECT_EQ(lost(id, 1), on_all_gpus(minutes(1) + kRestart)) << "from its save it goes on";
  EXPECT_EQ(lost(id, 2), on_all_gpus(minutes(3) + kRestart));
  EXPECT_EQ(lost(id, 3), on_all_gpus(minutes(5) + kRestart)) << "it had saved nothing";
  skip_newest(id);
  EXPECT_EQ(lost(id, 1), on_all_gpus(minutes(2) + kRestart));
  EXPECT_EQ(lost(id, 2), on_all_gpus(minutes(3) + kRestart)) << "all of it was lost already";
}

// A job lists three saves. If these are gone, it starts from the beginning, even if it had older saves.
TEST_F(LostSaves, WithTheLastSaveAllIsLost) {
  const JobId id = train();
  clock_.advance(minutes(2));
  save(id, 1);
  crash(id);
  run_again(id);
  for (const std::int64_t step : {2, 3, 4}) {
    clock_.advance(minutes(1));
    save(id, step);
  }
  crash(id);
  plan_admissions();
  for (int gone = 0; gone < 2; ++gone) skip_newest(id);
  EXPECT_EQ(lost(id, 1), on_all_gpus(kRestart));
  skip_newest(id);
  EXPECT_TRUE(job(id).checkpoints.empty());
  EXPECT_EQ(lost(id, 1), on_all_gpus(minutes(2) + kRestart));
  EXPECT_EQ(lost(id, 2), on_all_gpus(minutes(3) + kRestart));
}

TEST_F(LostSaves, WhatItHasSavedSinceIsNoneOfThoseBefore) {
  const JobId id = train();
  clock_.advance(minutes(1));
  save(id, 10);
  clock_.advance(minutes(1));
  crash(id);
  run_again(id);
  const Checkpoint gone = job(id).checkpoints.at(0);
  clock_.advance(minutes(1));
  save(id, 5);
  observe(token(id), CheckpointIsGone{gone});  // reported late
  EXPECT_EQ(lost(id, 1), on_all_gpus(minutes(2) + kRestart));
}

}  // namespace
}  // namespace ym
