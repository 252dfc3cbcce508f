// The final losses of attempts, beside the estimates: by how they ended, and what they had saved.
#include "control/controller.h"
#include "control/testing/lost_work_fixture.h"

namespace ym {
namespace {

using testing::one_node;

class LostWork : public testing::LostWorkTest {};

TEST_F(LostWork, AJobThatSavesInItsGraceHasLostItsStartAlone) {
  const JobId id = train();
  clock_.advance(minutes(10));
  told_to_stop(id);
  EXPECT_EQ(attempt(id).estimated_lost_gpu_ms, 60'000);
  EXPECT_EQ(lost(id), std::nullopt) << "it has not ended";
  clock_.advance(seconds(20));
  save(id, 21);
  EXPECT_EQ(lost(id), std::nullopt);
  observe(token(id), ends(EndedBy::preempted, clock_.now(), 143));
  EXPECT_EQ(job(id).state, JobState::queued);
  EXPECT_EQ(lost(id), on_all_gpus(kRestart));
  EXPECT_EQ(attempt(id).estimated_lost_gpu_ms, 60'000) << "by that it was chosen";
}

TEST_F(LostWork, AJobThatSavesNothingHasLostAllOfItAndItsGraceToo) {
  const JobId id = train();
  clock_.advance(minutes(10));
  told_to_stop(id);
  clock_.advance(seconds(20));
  observe(token(id), ends(EndedBy::preempted, clock_.now(), 143));
  EXPECT_EQ(lost(id), on_all_gpus(minutes(10) + seconds(20) + kRestart));
}

TEST_F(LostWork, WhatItDoesAfterItsSaveIsLost) {
  const JobId id = train();
  clock_.advance(minutes(4));
  save(id, 7);
  clock_.advance(minutes(1));
  told_to_stop(id);
  clock_.advance(seconds(30));
  observe(token(id), ends(EndedBy::preempted, clock_.now(), 143));
  EXPECT_EQ(lost(id), on_all_gpus(minutes(1) + seconds(30) + kRestart));
}

TEST_F(LostWork, AServerThatComesBackReckonsFromTheEndsThatWereRecorded) {
  const JobId id = train();
  clock_.advance(minutes(10));
  told_to_stop(id);
  clock_.advance(seconds(5));
  save(id, 21);
  open(one_node());
  EXPECT_EQ(attempt(id).estimated_lost_gpu_ms, 60'000);
  const Instant left = clock_.now() + seconds(2);
  clock_.advance(hours(1));
  observe(token(id), ends(EndedBy::preempted, left, 143));
  EXPECT_EQ(lost(id), on_all_gpus(seconds(2) + kRestart));
  open(one_node());
  EXPECT_EQ(controller_->tables().attempts.at({id, 1}).lost_gpu_ms, on_all_gpus(seconds(2) + kRestart));
}

TEST_F(LostWork, AJobThatIsDoneWithinItsGraceHasLostNothing) {
  const JobId id = train();
  clock_.advance(minutes(10));
  told_to_stop(id);
  observe(token(id), ProgressIsReported{{.completed = true}});
  observe(token(id), ends(EndedBy::preempted, clock_.now(), 0));
  EXPECT_EQ(ended(id).state, JobState::succeeded);
  EXPECT_EQ(lost(id), 0);
  EXPECT_EQ(attempt(id).estimated_lost_gpu_ms, 60'000);
}

TEST_F(LostWork, ACancelledJobDoesNothingAgain) {
  const JobId cancelled = train();
  clock_.advance(minutes(10));
  ASSERT_TRUE(execute(CancelJob{cancelled}));
  observe(token(cancelled), ends(EndedBy::cancelled, clock_.now()));
  EXPECT_EQ(lost(cancelled), std::nullopt);
  const JobId told = train();
  clock_.advance(minutes(10));
  told_to_stop(told);
  ASSERT_TRUE(execute(CancelJob{told}));
  observe(token(told), ends(EndedBy::preempted, clock_.now(), 143));
  EXPECT_EQ(ended(told).state, JobState::cancelled);
  EXPECT_EQ(lost(told), 0);
}

TEST_F(LostWork, WhateverEndsAnAttemptItIsReckonedWhereTheJobGoesOn) {
  const JobId id = train();
  std::size_t number = 0;
  for (const auto by : {EndedBy::exit, EndedBy::oom, EndedBy::lost}) {
    clock_.advance(minutes(3));
    save(id, static_cast<std::int64_t>(++number));
    clock_.advance(minutes(2));
    observe(token(id), ends(by, clock_.now()));
    EXPECT_EQ(lost(id, number), on_all_gpus(minutes(2) + kRestart)) << to_string(by);
    EXPECT_EQ(attempt_of(id, number).estimated_lost_gpu_ms, 0);
    run_again(id);
  }
}

TEST_F(LostWork, AJobThatDoesNotGoOnDoesNothingAgain) {
  const JobId done = runs("done", kGpus);
  clock_.advance(minutes(3));
  observe(token(done), ends(EndedBy::exit, clock_.now(), 0));
  EXPECT_EQ(lost(done), std::nullopt);
  const JobId failed = runs("failed", kGpus);
  clock_.advance(minutes(3));
  crash(failed);
  EXPECT_EQ(ended(failed).state, JobState::failed);
  EXPECT_EQ(lost(failed), std::nullopt);
}

TEST_F(LostWork, AnAttemptThatNeverStartedHasLostItsStartAsFarAsThatHadCome) {
  const JobId low = submit_at("low", kGpus, 10);
  plan_admissions();
  clock_.advance(seconds(5));
  told_to_stop(low);
  observe(token(low), LaunchRefused{"preempted before user code started"});
  EXPECT_EQ(lost(low), on_all_gpus(seconds(5)));
}

TEST_F(LostWork, TheSiteSaysWhatAStartIsReckonedWith) {
  controller_->set_restart_cost(seconds(10));
  const JobId id = train();
  clock_.advance(minutes(1));
  crash(id);
  EXPECT_EQ(lost(id), on_all_gpus(minutes(1) + seconds(10)));
}

}  // namespace
}  // namespace ym
