// What becomes of launches that a state which was set back does not know.
#include "control/lost_launches.h"

#include "control/testing/controller_fixture.h"
#include "store/memory/memory_store.h"

namespace ym {
namespace {

using testing::node;
using testing::one_node;
using testing::RecordingExecutor;
using testing::spec_of;

// The same store, of which the server is told that it was set back.
class SetBack final : public Store {
 public:
  explicit SetBack(Store& store) : store_(store) {}
  Result<LoadedState> load() override { return store_.load(); }
  Result<void> commit(const Commit& commit) override { return store_.commit(commit); }
  Result<std::unique_ptr<StoreReader>> reader() override { return store_.reader(); }
  Instant last_time() const override { return store_.last_time(); }
  bool is_set_back() const override { return true; }
  std::uint64_t bytes() const override { return store_.bytes(); }
  Result<void> expire_idempotency(Instant horizon) override { return store_.expire_idempotency(horizon); }

 private:
  Store& store_;
};

class LostLaunchesTest : public testing::ControllerTest {
 protected:
  static LostLaunch launch(JobId job, std::int32_t attempt, const std::string& device = "0") {
    return {.token = {.job = job, .attempt = attempt, .epoch = 1},
            .placement = {{.task = 0, .node = "n1", .devices = {device}}},
            .lives = true,
            .where = "attempts/x"};
  }

  Result<void> set_back(std::vector<LostLaunch> lost) {
    after_.set_lost(std::move(lost));
    return restart();
  }

  Result<void> restart() {
    controller_ = std::make_unique<Controller>(set_back_, Controller::Executors{{"lab", &after_}}, clock_, options_,
                                               [](const Committed&, const Tables&) {});
    if (auto opened = controller_->open(one_node()); !opened) return opened;
    return controller_->start_executors([](const Observation&) {});
  }

  const Attempt* live(JobId id) const { return controller_->tables().live_attempt(id); }

  SetBack set_back_{*store_};
  RecordingExecutor after_;
};

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
  const auto opened = restart();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::unavailable);
  EXPECT_NE(opened.error().message.find("'lab'"), std::string::npos);
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
  ASSERT_TRUE(set_back({launch(id, 1), launch(id, 2)}));
  EXPECT_FALSE(after_.is_lost({id, 1, 1})) << "it had ended when the second was launched";
  auto other = launch(id, 2);
  other.token.epoch = 3;
  EXPECT_TRUE(after_.is_lost(other.token));
  ASSERT_TRUE(set_back({other}));
  EXPECT_EQ(live(id)->token(), (Token{id, 2, 1}));
  observe(live(id)->token(), TaskHasEnded{0, {.by = EndedBy::lost}});
  ASSERT_TRUE(set_back({other}));
  EXPECT_EQ(live(id), nullptr) << "what lives of another launch of that number is in nobody's way";
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
