// Launches that a restored state does not know.
#include "control/attempts/lost_launches.h"

#include "base/testing/sentences.h"
#include "control/testing/lost_launches_fixture.h"

namespace ym {
namespace {

using testing::expect_refused;
using testing::LostLaunchesTest;
using testing::spec_of;

TEST_F(LostLaunchesTest, BecomeAttemptsOfJobsThatWaited) {
  const JobId id = submit(spec_of("train"));
  ASSERT_TRUE(set_back({launch(id, 2)}));
  ASSERT_NE(live(id), nullptr);
  EXPECT_EQ(live(id)->number, 2);
  EXPECT_EQ(live(id)->token(), (Token{id, 2, 1}));
  EXPECT_TRUE(live(id)->adopted);
  EXPECT_EQ(live(id)->flavor, kDefaultFlavor);
  EXPECT_EQ(job(id).state, JobState::starting);
  ASSERT_EQ(after_.attempts_at_start().size(), 1U);
  EXPECT_TRUE(after_.attempts_at_start().front().adopted);
  observe(live(id)->token(), TaskHasEnded{0, {.by = EndedBy::exit, .exit_code = 0}});
  EXPECT_EQ(controller_->tables().jobs.count(id), 0U) << "it has ended, and is over";
  EXPECT_TRUE(after_.launched().empty());
}

TEST_F(LostLaunchesTest, HaveRunSinceTheyBeganAndNotSinceTheyWereFound) {
  const JobId id = submit(spec_of("train"));
  const Instant began = clock_.now() + minutes(1);
  clock_.advance(hours(3));
  ASSERT_TRUE(set_back({launch(id, 1)}));
  clock_.advance(seconds(1));
  observe(live(id)->token(), TaskIsRunning{0, began});
  EXPECT_EQ(live(id)->started_at, began);
  EXPECT_EQ(job(id).started_at, began);
}

TEST_F(LostLaunchesTest, BeganAfterTheirJobsWereSubmitted) {
  const JobId id = submit(spec_of("train"));
  clock_.advance(hours(3));
  ASSERT_TRUE(set_back({launch(id, 1)}));
  observe(live(id)->token(), TaskIsRunning{0, job(id).submitted_at - hours(1)});
  EXPECT_EQ(live(id)->started_at, job(id).submitted_at) << "a clock was set back, or a job has changed its files";
}

TEST_F(LostLaunchesTest, EndTheAttemptsThatLivedBeforeThem) {
  const JobId id = submit(spec_of("train"));
  schedule();
  ASSERT_EQ(live(id)->number, 1);
  const Token first = live(id)->token();
  ASSERT_TRUE(set_back({launch(id, 3)}));
  EXPECT_EQ(live(id)->number, 3);
  EXPECT_EQ(controller_->tables().attempts.at({id, 1}).ended_by, EndedBy::lost);
  EXPECT_EQ(job(id).retries.infra, 0) << "how it ended is not known";
  EXPECT_EQ(job(id).retries.error, 0);
  EXPECT_EQ(after_.released(), std::vector{first});
}

TEST_F(LostLaunchesTest, OfOneJobTheLastCounts) {
  const JobId id = submit(spec_of("train"));
  ASSERT_TRUE(set_back({launch(id, 1), launch(id, 2)}));
  EXPECT_EQ(live(id)->number, 2);
}

TEST_F(LostLaunchesTest, OfAHeldJobAreItsAttemptsToo) {
  const JobId id = submit(spec_of("train"));
  ASSERT_TRUE(execute(HoldJob{id}));
  ASSERT_TRUE(set_back({launch(id, 1)}));
  EXPECT_NE(live(id), nullptr);
}

TEST_F(LostLaunchesTest, OfUnknownJobsAreLeftAlone) {
  submit(spec_of("train"));
  ASSERT_TRUE(set_back({launch({77}, 1)}));
  EXPECT_TRUE(after_.attempts_at_start().empty());
  EXPECT_TRUE(after_.stopped().empty());
  EXPECT_EQ(controller_->tables().jobs.size(), 1U);
}

TEST_F(LostLaunchesTest, GetDevicesWhereTheClusterChoseThem) {
  const JobId first = submit(spec_of("first", 2)), second = submit(spec_of("second", 2)), third = submit(spec_of("c"));
  auto one = launch(first, 1), two = launch(second, 1), three = launch(third, 1);
  for (auto* each : {&one, &two, &three}) each->placement.front().devices.clear();
  ASSERT_TRUE(set_back({one, two, three}));
  EXPECT_EQ(live(first)->placement.front().devices, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(live(second)->placement.front().devices, (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(live(third)->placement.front().devices.size(), 1U) << "the cluster knows better";
}

TEST_F(LostLaunchesTest, KeepDevicesThatAnotherHadUntilBothHaveEnded) {
  const JobId then = submit(spec_of("then", 4)), later = submit(spec_of("later", 4)), next = submit(spec_of("next"));
  schedule();
  ASSERT_NE(live(then), nullptr);
  auto lost = launch(later, 1);
  lost.placement.front().devices = {"0", "1", "2", "3"};
  ASSERT_TRUE(set_back({lost}));
  observe(live(then)->token(), TaskHasEnded{0, {.by = EndedBy::exit, .exit_code = 0}});
  schedule();
  EXPECT_EQ(live(next), nullptr) << "the later one has them";
  observe(live(later)->token(), TaskHasEnded{0, {.by = EndedBy::exit, .exit_code = 0}});
  schedule();
  EXPECT_NE(live(next), nullptr);
}

TEST_F(LostLaunchesTest, ThatCannotBeSeenLetNothingBegin) {
  submit(spec_of("train"));
  after_.set_lost(fail(ErrorCode::unavailable, "no answer"));
  expect_refused(restart(), ErrorCode::unavailable);
}

TEST_F(LostLaunchesTest, AreBelowAllIdsAndEpochsToCome) {
  const JobId id = submit(spec_of("train"));
  const auto newer = static_cast<std::uint64_t>(clock_.now().ms) + 5'000;
  auto lost = launch(id, 1);
  lost.token.epoch = newer;
  ASSERT_TRUE(set_back({lost}));
  EXPECT_EQ(after_.epochs(), std::vector{newer + 1});
  EXPECT_GT(submit(spec_of("next")).value, id.value + 1'000'000);
  const auto stored = store_->load();
  EXPECT_EQ(stored->tables.last_id, controller_->tables().last_id);
}

TEST_F(LostLaunchesTest, ThatAreNoLaterAttemptsAreLeftAlone) {
  const JobId id = submit(spec_of("train"));
  auto last = launch(id, 2), other = launch(id, 2);
  last.token.epoch = 5;
  other.token.epoch = 3;
  ASSERT_TRUE(set_back({launch(id, 1), last}));
  EXPECT_FALSE(after_.is_lost({id, 1, 1})) << "it had ended when the second was launched";
  EXPECT_TRUE(after_.is_lost(other.token));
  ASSERT_TRUE(set_back({other}));
  EXPECT_EQ(live(id)->token(), last.token);
}

TEST_F(LostLaunchesTest, AreThoseThatTheStoreDoesNotKnow) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token known = live(id)->token();
  EXPECT_FALSE(executor_.is_lost(known));
  EXPECT_TRUE(executor_.is_lost({id, 2, known.epoch})) << "a later attempt";
  EXPECT_TRUE(executor_.is_lost({id, 1, known.epoch + 1})) << "of that number, another launch";
  EXPECT_TRUE(executor_.is_lost({{99}, 1, 1})) << "a job that never was";
}

}  // namespace
}  // namespace ym
