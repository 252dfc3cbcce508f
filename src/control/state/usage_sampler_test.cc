// Usage is sampled each minute while jobs wait or run, and survives a restart.
#include <algorithm>

#include "control/testing/training_fixture.h"

namespace ym {
namespace {

using testing::one_node;
using testing::spec_of;

class UsageSampling : public testing::ControllerTest {
 protected:
  void SetUp() override {
    options_.usage_kept = kUsageKept;
    testing::ControllerTest::SetUp();
  }
  void run_due() {
    controller_->do_due();
    ASSERT_TRUE(controller_->commit());
  }
  // A job on this number of GPUs, and the sample of its first minute.
  JobId use_for_a_minute(int gpus) {
    const JobId id = submit(spec_of("train", gpus));
    schedule();
    clock_.advance(minutes(1));
    run_due();
    return id;
  }
  std::int64_t samples() const {
    return std::ranges::count_if(
        events_, [](const Event& event) { return std::holds_alternative<UsageSampled>(event.payload); });
  }
  std::int64_t gpus_used() const {
    const auto& rows = controller_->tables().usage;
    const auto it = rows.find("default/alice");
    return it == rows.end() ? 0 : it->second.flavors.at(0).decayed[ResourceKind::gpus];
  }
};

TEST_F(UsageSampling, WhileNothingWaitsOrRunsNothingIsWritten) {
  clock_.advance(hours(5));
  run_due();
  EXPECT_EQ(samples(), 0);
  EXPECT_FALSE(controller_->next_due());
}

TEST_F(UsageSampling, OnceAMinuteOfTheClock) {
  submit(spec_of("train", 4));
  schedule();
  ASSERT_TRUE(controller_->next_due());
  EXPECT_EQ(controller_->next_due()->ms % minutes(1).ms, 0);
  for (int second = 0; second < 180; ++second) {
    clock_.advance(seconds(1));
    run_due();
  }
  EXPECT_EQ(samples(), 4) << "one before the first is admitted, and then each minute";
  EXPECT_GT(gpus_used(), 0);
}

TEST_F(UsageSampling, ASampleThatCouldNotBeStoredIsMadeUpForByTheNext) {
  submit(spec_of("train", 4));
  schedule();
  clock_.advance(minutes(1));
  controller_->do_due();
  ASSERT_TRUE(controller_->has_changes());
  store_->fail_next(1);
  EXPECT_FALSE(controller_->commit());
  EXPECT_EQ(samples(), 1) << "the one from before the admission";
  clock_.advance(minutes(1));
  run_due();
  EXPECT_EQ(samples(), 2);
  EXPECT_EQ(controller_->tables().usage.at("default/alice").sampled_at, usage_grid(clock_.now()));
}

TEST_F(UsageSampling, WhatWasUsedIsKnownAfterARestart) {
  options_.usage_kept = kWholePart / 2;
  open(one_node());
  use_for_a_minute(4);
  const auto before = controller_->tables().usage;
  ASSERT_FALSE(before.empty());
  EXPECT_EQ(gpus_used(), 4'000'000'000) << "half a minute's part of 4 GPUs, and as much for the admission";
  open(one_node());
  EXPECT_EQ(controller_->tables().usage, before);
  clock_.advance(minutes(2));
  run_due();
  EXPECT_EQ(gpus_used(), 4'000'000'000);
}

// While there were no jobs, nothing was sampled. The first job finds decayed usage.
TEST_F(UsageSampling, AfterAQuietTimeTheNextSubmitCatchesUp) {
  options_.usage_kept = kWholePart / 2;
  open(one_node());
  const JobId id = use_for_a_minute(4);
  const Token token = executor_.launched().back().token;
  observe(token, TaskIsRunning{0});
  observe(token, testing::exits(0));
  ASSERT_FALSE(controller_->tables().jobs.contains(id));
  clock_.advance(minutes(3));
  EXPECT_FALSE(controller_->next_due());
  submit(spec_of("next"));
  run_due();
  EXPECT_EQ(gpus_used(), 500'000'000);
}

// The server was away. A job that is admitted at once when it is back has not used the missed time.
TEST_F(UsageSampling, AJobAdmittedAfterAnOutageIsChargedForNothingOfIt) {
  options_.usage_kept = kWholePart / 2;
  open(one_node());
  use_for_a_minute(1);
  const auto before = gpus_used();
  const JobId waits = submit(spec_of("large", 3));
  clock_.advance(hours(60));
  open(one_node());
  schedule();
  ASSERT_EQ(job(waits).state, JobState::starting);
  run_due();
  EXPECT_LE(gpus_used(), before + 1'000'000'000) << "what runs is one GPU; the three have just been admitted";
}

}  // namespace
}  // namespace ym
