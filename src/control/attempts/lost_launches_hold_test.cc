// Launches that a restored state does not know, and that cannot be its attempts.
#include <limits>

#include "control/testing/lost_launches_fixture.h"

namespace ym {
namespace {

using testing::LostLaunchesTest;
using testing::spec_of;

TEST_F(LostLaunchesTest, OfWhichNotAllIsKnownHoldTheirJobs) {
  const JobId id = submit(spec_of("train")), other = submit(spec_of("other"));
  auto nowhere = launch(id, 1), elsewhere = launch(other, 1);
  nowhere.placement.clear();
  elsewhere.placement.front().node = "gone";
  ASSERT_TRUE(set_back({nowhere, elsewhere}));
  for (const JobId held : {id, other}) {
    EXPECT_EQ(job(held).state, JobState::held);
    EXPECT_EQ(live(held), nullptr);
  }
}

TEST_F(LostLaunchesTest, ThatLiveAndCanBeNoAttemptHoldTheirJobs) {
  const JobId id = submit(spec_of("train"));
  schedule();
  observe(live(id)->token(), TaskHasEnded{0, {.by = EndedBy::lost}});
  auto other = launch(id, 1);
  other.token.epoch = epoch_now() + 1;
  ASSERT_TRUE(set_back({other}));
  EXPECT_EQ(live(id), nullptr);
  EXPECT_EQ(job(id).state, JobState::held) << "it would run beside it";
}

TEST_F(LostLaunchesTest, OfTheSameNumberAndLaterEndTheOneThatTheStateHas) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token first = live(id)->token();
  auto other = launch(id, 1);
  other.token.epoch = first.epoch + 1;
  ASSERT_TRUE(set_back({other}));
  EXPECT_EQ(live(id), nullptr);
  EXPECT_EQ(job(id).state, JobState::held);
  EXPECT_EQ(after_.released(), std::vector{first});
}

TEST_F(LostLaunchesTest, OfAJobThatIsBeingCancelledAreLeftAlone) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token first = live(id)->token();
  ASSERT_TRUE(execute(CancelJob{id}));
  ASSERT_TRUE(set_back({launch(id, 2)}));
  EXPECT_EQ(live(id)->token(), first);
  EXPECT_TRUE(job(id).cancel_requested);
  observe(first, TaskHasEnded{0, {.by = EndedBy::signal, .signal = 15}});
  EXPECT_EQ(controller_->tables().jobs.count(id), 0U);
}

TEST_F(LostLaunchesTest, OfWhichOnlyTracesTellEndNothing) {
  const JobId runs = submit(spec_of("runs")), waits = submit(spec_of("waits", 4));
  schedule();
  const Token first = live(runs)->token();
  auto planted = launch(runs, 2), other = launch(waits, 1);
  for (auto* each : {&planted, &other}) {
    each->placement.clear();
    each->by_record = false;
  }
  ASSERT_TRUE(set_back({planted, other}));
  EXPECT_EQ(live(runs)->token(), first) << "a job can make a folder, too";
  EXPECT_EQ(job(waits).state, JobState::held);
}

TEST_F(LostLaunchesTest, ThatDoNotFitTheirSpecHoldTheirJobs) {
  const JobId id = submit(spec_of("train")), other = submit(spec_of("other"));
  auto longer = launch(id, 1), twice = launch(other, 1);
  longer.placement.push_back({.task = 1, .node = "n1", .devices = {"1"}});
  twice.placement.front().task = 7;
  ASSERT_TRUE(set_back({longer, twice}));
  for (const JobId held : {id, other}) EXPECT_EQ(job(held).state, JobState::held);
}

TEST_F(LostLaunchesTest, ThatNoServerCanHaveMadeAreLetBe) {
  const JobId id = submit(spec_of("train"));
  auto epoch = launch(id, 1), number = launch(id, std::numeric_limits<std::int32_t>::max());
  epoch.token.epoch = std::numeric_limits<std::uint64_t>::max();
  ASSERT_TRUE(set_back({epoch, number}));
  EXPECT_EQ(live(id), nullptr);
  EXPECT_EQ(job(id).state, JobState::queued);
  EXPECT_LT(after_.epochs().back(), epoch.token.epoch / 2);
  ASSERT_TRUE(restart()) << "the next server has an epoch of its own, too";
}

// It is not known for which tasks its launch barrier opened, so no task may pass. That is not the job's failure.
TEST_F(LostLaunchesTest, ThatAreSentAwayAtTheirBarrierCostNoRetry) {
  auto spec = spec_of("train");
  spec.retry.infra_max = 0;
  const JobId id = submit(spec);
  ASSERT_TRUE(set_back({launch(id, 1)}));
  observe(live(id)->token(), TaskHasEnded{0, {.by = EndedBy::start_failed, .message = "sent away"}});
  ASSERT_EQ(controller_->tables().jobs.count(id), 1U);
  EXPECT_EQ(job(id).state, JobState::queued);
  EXPECT_EQ(job(id).retries.infra, 0);
}

}  // namespace
}  // namespace ym
