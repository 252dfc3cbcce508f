#include "control/commands.h"
#include "control/controller.h"

#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::node;
using testing::one_node;
using testing::spec_of;

class Commands : public testing::ControllerTest {};

TEST_F(Commands, CancellingARunningJobStopsIt) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  ASSERT_TRUE(execute(CancelJob{id}));
  EXPECT_EQ(job(id).state, JobState::stopping);
  ASSERT_EQ(executor_.stopped().size(), 1U);
  EXPECT_EQ(executor_.stopped().at(0).request.cause, StopCause::cancel);
  observe(token, exits(0));
  EXPECT_EQ(ended(id).state, JobState::cancelled);
}

TEST_F(Commands, CancelIsSaidTwiceWithoutHarmButNotAfterTheEnd) {
  const JobId id = submit(spec_of("train"));
  ASSERT_TRUE(execute(CancelJob{id}));
  EXPECT_TRUE(execute(CancelJob{id})) << "already cancelled: the same answer";
  const JobId other = submit(spec_of("other"));
  schedule();
  observe(executor_.launched().at(0).token, exits(0));
  const auto refused = execute(CancelJob{other});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
}

TEST_F(Commands, HoldAndRelease) {
  const JobId id = submit(spec_of("train"));
  ASSERT_TRUE(execute(HoldJob{id}));
  schedule();
  EXPECT_EQ(job(id).state, JobState::held);
  ASSERT_TRUE(execute(ReleaseJob{id}));
  schedule();
  EXPECT_EQ(job(id).state, JobState::starting);
  EXPECT_EQ(execute(HoldJob{id}).error().code, ErrorCode::conflict);
}

TEST_F(Commands, TheSameKeyAndBodyMakeOneJob) {
  const SubmitJobs command{.specs = {spec_of("train")}, .idempotency_key = "k", .request_hash = "h"};
  const auto first = execute(command);
  const auto second = execute(command);
  EXPECT_EQ(first->jobs.at(0).id, second->jobs.at(0).id);
  EXPECT_TRUE(second->replayed);
  open(one_node());
  EXPECT_EQ(execute(command)->jobs.at(0).id, first->jobs.at(0).id) << "also after a restart";
  auto other = command;
  other.request_hash = "other";
  EXPECT_EQ(execute(other).error().code, ErrorCode::conflict);
}

TEST_F(Commands, AKeyIsForgottenAfterItsTime) {
  const SubmitJobs command{.specs = {spec_of("train")}, .idempotency_key = "k", .request_hash = "h"};
  const auto first = execute(command)->jobs.at(0).id;
  clock_.advance(hours(23));
  EXPECT_EQ(execute(command)->jobs.at(0).id, first);
  clock_.advance(hours(2));
  submit(spec_of("another"));
  EXPECT_TRUE(store_->load()->idempotency.empty()) << "neither memory nor the store grows for ever";
  EXPECT_NE(execute(command)->jobs.at(0).id, first);
}

TEST_F(Commands, TheSameKeyTwiceInOneBatchMakesOneJob) {
  const SubmitJobs command{.specs = {spec_of("train")}, .idempotency_key = "k", .request_hash = "h"};
  std::vector<JobId> ids;
  const auto keep = [&](Result<CommandReply> r) { ids.push_back(r->jobs.at(0).id); };
  controller_->stage({"alice", "admin"}, command, keep);
  controller_->stage({"alice", "admin"}, command, keep);
  ASSERT_TRUE(controller_->commit());
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(controller_->tables().jobs.size(), 1U);
}

TEST_F(Commands, AnArrayIsOneSpecAndManyJobs) {
  auto spec = spec_of("sweep");
  spec.array = 3;
  const auto reply = execute(SubmitJobs{.specs = {spec}});
  ASSERT_EQ(reply->jobs.size(), 3U);
  EXPECT_EQ(reply->jobs.at(2).name, "sweep-2");
  EXPECT_EQ(reply->jobs.at(2).group_index, 2);
  EXPECT_EQ(reply->jobs.at(0).spec_id, reply->jobs.at(2).spec_id);
  EXPECT_EQ(reply->jobs.at(0).group, reply->jobs.at(2).group);
}

TEST_F(Commands, SubmitNamesTheQueueThatIsMissingAndWhatThereIs) {
  auto spec = spec_of("train");
  spec.queue = "nowhere";
  const auto refused = execute(SubmitJobs{.specs = {spec_of("ok"), spec}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fields.at(0).pointer, "/1/queue");
  EXPECT_EQ(refused.error().fields.at(0).message, "there is no queue 'nowhere'; there are: default");
  EXPECT_TRUE(controller_->tables().jobs.empty()) << "all or none";
}

TEST_F(Commands, RetryMakesANewJobOfTheSameSpec) {
  const JobId id = submit(spec_of("train"));
  EXPECT_EQ(execute(RetryJob{id}).error().code, ErrorCode::conflict);
  ASSERT_TRUE(execute(CancelJob{id}));
  const auto again = execute(RetryJob{id});
  ASSERT_TRUE(again);
  EXPECT_NE(again->jobs.at(0).id, id);
  EXPECT_EQ(again->jobs.at(0).spec->run, spec_of("train").run);
}

}  // namespace
}  // namespace ym
