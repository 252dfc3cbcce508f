// A gang with a task out of contact: reports about the others do not count for that task.
#include "base/testing/sentences.h"
#include "control/controller.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_sentence;
using testing::node;
using testing::spec_of;

class GangContact : public testing::ControllerTest {
 protected:
  void SetUp() override {
    open({.clusters = {{.name = "lab", .executor = "local"}}, .nodes = {node("n1", 4), node("n2", 4)}});
    auto spec = spec_of("gang", 4);
    spec.nodes = 2;
    spec.retry = {.infra_max = 0, .error_max = 0};
    id_ = submit(spec);
    schedule();
    token_ = executor_.launched().at(0).token;
  }
  void run_all() {
    observe(token_, TaskIsRunning{0});
    observe(token_, TaskIsRunning{1});
  }
  std::int64_t count(std::string_view type) const {
    return std::ranges::count_if(events_, [&](const Event& event) { return type_name(event.payload) == type; });
  }

  JobId id_;
  Token token_;
};

TEST_F(GangContact, IsNotRegainedByWhatAnotherMemberSays) {
  run_all();
  for (int round = 0; round < 3; ++round) {
    observe(token_, ContactIsLost{"task 1 does not answer"});
    observe(token_, ProgressIsReported{{.step = round, .completed = round == 0}});
    observe(token_, ProgressIsReported{{.checkpoint = Checkpoint{.uri = "/ck", .step = round + 1}}});
    observe(token_, CheckpointIsGone{{.uri = "/other"}});
    observe(token_, TaskIsRunning{0});
    EXPECT_EQ(job(id_).state, JobState::unreachable);
  }
  EXPECT_EQ(count("contact.lost"), 1);
  observe(token_, ContactIsBack{});
  EXPECT_EQ(job(id_).state, JobState::running);
}

TEST_F(GangContact, IsRegainedByANewLookAtTheWholeAttempt) {
  run_all();
  observe(token_, ContactIsLost{"the folder cannot be read"});
  observe(token_, LaunchAccepted{});
  EXPECT_EQ(job(id_).state, JobState::running);
}

TEST_F(GangContact, MembersThatStartMeanwhileAreNotForgotten) {
  observe(token_, LaunchPreparing{});
  observe(token_, ContactIsLost{"task 1 does not answer"});
  run_all();
  EXPECT_EQ(job(id_).state, JobState::unreachable);
  EXPECT_TRUE(job(id_).started_at);
  EXPECT_EQ(count("attempt.started"), 1);
  observe(token_, ContactIsBack{});
  EXPECT_EQ(job(id_).state, JobState::running);
  EXPECT_EQ(count("attempt.started"), 1);
}

TEST_F(GangContact, WhyItDoesNotBeginInItsClusterIsSaidUntilItDoes) {
  observe(token_, LaunchAccepted{});
  for (int i = 0; i < 2; ++i) observe(token_, StartIsDelayed{"Resources"});
  EXPECT_EQ(count("attempt.delayed"), 1);
  EXPECT_EQ(job(id_).message, "Resources");
  EXPECT_EQ(job(id_).state, JobState::starting);
  observe(token_, TaskIsRunning{0});
  observe(token_, StartIsDelayed{"of one that will not begin"});
  EXPECT_EQ(job(id_).message, "Resources") << "some have begun";
  run_all();
  EXPECT_EQ(job(id_).message, "");
  observe(token_, StartIsDelayed{"late"});
  EXPECT_EQ(count("attempt.delayed"), 1) << "it has begun";
}

TEST_F(GangContact, AMemberThatFailsMeanwhileStopsTheOthersNowAndAgainWhenContactIsBack) {
  run_all();
  observe(token_, ContactIsLost{"task 1 does not answer"});
  observe(token_, exits(3, 0));
  EXPECT_EQ(job(id_).state, JobState::unreachable);
  ASSERT_EQ(executor_.stopped().size(), 1U) << "those that can be reached";
  EXPECT_EQ(executor_.stopped().back().request.cause, StopCause::gang_failure);
  observe(token_, ContactIsBack{});
  EXPECT_EQ(job(id_).state, JobState::stopping);
  ASSERT_EQ(executor_.stopped().size(), 2U);
  EXPECT_EQ(attempt(id_).stop_cause, StopCause::gang_failure);
  observe(token_, TaskHasEnded{1, {.by = EndedBy::signal, .signal = 15}});
  EXPECT_EQ(ended(id_).state, JobState::failed);
  EXPECT_EQ(attempt(id_).exit_code, 3);
  expect_sentence(ended(id_).message);
}

TEST_F(GangContact, EndsWhenAllMembersHaveEnded) {
  observe(token_, ContactIsLost{"task 1 does not answer"});
  observe(token_, exits(0, 0));
  EXPECT_EQ(job(id_).state, JobState::unreachable);
  observe(token_, exits(0, 1));
  EXPECT_EQ(ended(id_).state, JobState::succeeded);
  EXPECT_TRUE(ended(id_).started_at);
}

TEST_F(GangContact, AMemberThatNeverStartedIsNoPartOfAStart) {
  observe(token_, ContactIsLost{"task 1 does not answer"});
  observe(token_, TaskHasEnded{1, {.by = EndedBy::start_failed, .message = "no such file"}});
  observe(token_, TaskIsRunning{0});
  EXPECT_FALSE(job(id_).started_at);
}

}  // namespace
}  // namespace ym
