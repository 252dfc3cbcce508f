#include "control/commands/commands.h"
#include "base/testing/sentences.h"
#include "control/controller.h"

#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_refused;
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
  EXPECT_EQ(first->jobs.at(0)->id, second->jobs.at(0)->id);
  EXPECT_TRUE(second->replayed);
  open(one_node());
  EXPECT_EQ(execute(command)->jobs.at(0)->id, first->jobs.at(0)->id) << "also after a restart";
  auto other = command;
  other.request_hash = "other";
  EXPECT_EQ(execute(other).error().code, ErrorCode::conflict);
}

TEST_F(Commands, AKeyIsForgottenAfterItsTime) {
  const SubmitJobs command{.specs = {spec_of("train")}, .idempotency_key = "k", .request_hash = "h"};
  const auto first = execute(command)->jobs.at(0)->id;
  clock_.advance(hours(23));
  EXPECT_EQ(execute(command)->jobs.at(0)->id, first);
  clock_.advance(hours(2));
  submit(spec_of("another"));
  EXPECT_TRUE(store_->load()->idempotency.empty()) << "neither memory nor the store grows for ever";
  EXPECT_NE(execute(command)->jobs.at(0)->id, first);
}

TEST_F(Commands, TheSameKeyTwiceInOneBatchMakesOneJob) {
  const SubmitJobs command{.specs = {spec_of("train")}, .idempotency_key = "k", .request_hash = "h"};
  std::vector<JobId> ids;
  const auto keep = [&](Result<CommandReply> r) { ids.push_back(r->jobs.at(0)->id); };
  controller_->stage({.principal = "alice"}, command, keep);
  controller_->stage({.principal = "alice"}, command, keep);
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
  EXPECT_EQ(reply->jobs.at(2)->name, "sweep-2");
  EXPECT_EQ(reply->jobs.at(2)->group_index, 2);
  EXPECT_EQ(reply->jobs.at(0)->spec_id, reply->jobs.at(2)->spec_id);
  EXPECT_EQ(reply->jobs.at(0)->group, reply->jobs.at(2)->group);
}

TEST_F(Commands, SubmitNamesTheQueueThatIsMissingAndWhatThereIs) {
  auto spec = spec_of("train");
  spec.queue = "nowhere";
  expect_refused(execute(SubmitJobs{.specs = {spec_of("ok"), spec}}), ErrorCode::invalid, "/1/queue");
  EXPECT_TRUE(controller_->tables().jobs.empty()) << "all or none";
}

TEST_F(Commands, SubmitTellsOfEveryWrongQueue) {
  auto spec = spec_of("train");
  spec.queue = "nowhere";
  const auto refused = execute(SubmitJobs{.specs = {spec, spec}});
  expect_refused(refused, ErrorCode::invalid, "/0/queue");
  EXPECT_EQ(refused.error().fields.at(1).pointer, "/1/queue");
}

TEST_F(Commands, ARequestMakesTenThousandJobsAtMost) {
  auto large = spec_of("large");
  large.array = 10'000;
  expect_refused(execute(SubmitJobs{.specs = {large, spec_of("one")}}), ErrorCode::invalid, "/1");
  auto second = spec_of("second");
  second.array = 2;
  EXPECT_EQ(execute(SubmitJobs{.specs = {large, second}}).error().fields.at(0).pointer, "/1/array");
  EXPECT_TRUE(controller_->tables().jobs.empty());
  EXPECT_EQ(execute(SubmitJobs{.specs = {large}})->jobs.size(), 10'000U);
}

TEST_F(Commands, AUserHasSoManyUnfinishedJobsAtMost) {
  options_.users.unfinished_jobs = 3;
  open(one_node());
  auto array = spec_of("array");
  array.array = 3;
  const auto ids = execute(SubmitJobs{.specs = {array}})->jobs;
  expect_refused(execute(SubmitJobs{.specs = {spec_of("one")}}), ErrorCode::rate_limited);
  ASSERT_TRUE(execute(CancelJob{ids.at(0)->id}));
  EXPECT_EQ(execute(RetryJob{ids.at(0)->id})->jobs.size(), 1U);
  EXPECT_EQ(execute(RetryJob{ids.at(0)->id}).error().code, ErrorCode::rate_limited);
  open(one_node());
  EXPECT_FALSE(execute(SubmitJobs{.specs = {spec_of("one")}})) << "also after a restart";
}

TEST_F(Commands, ADryRunChecksAndMakesNothing) {
  auto spec = spec_of("train");
  const auto seq = controller_->tables().last_seq;
  const auto fine = execute(SubmitJobs{.specs = {spec}, .idempotency_key = "k", .request_hash = "h", .dry_run = true});
  ASSERT_TRUE(fine);
  EXPECT_TRUE(fine->jobs.empty());
  spec.queue = "nowhere";
  EXPECT_FALSE(execute(SubmitJobs{.specs = {spec}, .dry_run = true}));
  EXPECT_EQ(controller_->tables().last_seq, seq);
  EXPECT_TRUE(store_->load()->idempotency.empty());
}

TEST_F(Commands, RetryMakesANewJobOfTheSameSpec) {
  const JobId id = submit(spec_of("train"));
  EXPECT_EQ(execute(RetryJob{id}).error().code, ErrorCode::conflict);
  ASSERT_TRUE(execute(CancelJob{id}));
  const auto again = execute(RetryJob{id});
  ASSERT_TRUE(again);
  EXPECT_NE(again->jobs.at(0)->id, id);
  EXPECT_EQ(again->jobs.at(0)->spec->run, spec_of("train").run);
  EXPECT_EQ(again->jobs.at(0)->name, "train");
}

TEST_F(Commands, ARetryUnderTheSameKeyMakesOneJob) {
  const JobId id = submit(spec_of("train"));
  ASSERT_TRUE(execute(CancelJob{id}));
  const RetryJob retry{.job = id, .idempotency_key = "k", .request_hash = "h"};
  const auto first = execute(retry);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = execute(retry);
  EXPECT_EQ(second->jobs.at(0)->id, first->jobs.at(0)->id);
  EXPECT_TRUE(second->replayed);
  auto other = retry;
  other.request_hash = "other";
  EXPECT_EQ(execute(other).error().code, ErrorCode::conflict);
}

TEST_F(Commands, ARetriedMemberKeepsItsPlaceInTheArray) {
  auto spec = spec_of("sw");
  spec.array = 3;
  const auto made = execute(SubmitJobs{.specs = {spec}})->jobs;
  ASSERT_TRUE(execute(CancelJob{made.at(1)->id}));
  const Job again = execute(RetryJob{made.at(1)->id})->jobs.at(0);
  EXPECT_EQ(again.name, "sw-1");
  EXPECT_EQ(again.group, made.at(1)->group);
  EXPECT_EQ(again.group_index, 1);
  schedule();
  bool launched = false;
  for (const auto& launch : executor_.launched()) launched |= launch.token.job == again.id && launch.group_index == 1;
  EXPECT_TRUE(launched);
  open(one_node());
  EXPECT_EQ(job(again.id).group_index, 1);
}

TEST_F(Commands, AnArrayIsChangedAsAWhole) {
  auto spec = spec_of("sw", 4);
  spec.array = 3;
  const auto made = execute(SubmitJobs{.specs = {spec}})->jobs;
  const GroupId group = *made.at(0)->group;
  const JobId other = submit(spec_of("other", 4));
  schedule();
  observe(executor_.launched().at(0).token, TaskIsRunning{0});
  using enum ChangeGroup::Act;
  EXPECT_EQ(execute(ChangeGroup{group, release})->jobs.size(), 2U) << "these are as they were asked to be";
  EXPECT_EQ(execute(ChangeGroup{group, hold})->jobs.size(), 2U) << "the third one runs";
  EXPECT_EQ(job(made.at(1)->id).state, JobState::held);
  EXPECT_EQ(job(made.at(0)->id).state, JobState::running);
  EXPECT_EQ(execute(ChangeGroup{group, release})->jobs.size(), 2U);
  EXPECT_EQ(job(made.at(1)->id).state, JobState::queued);
  const auto cancelled = execute(ChangeGroup{group, cancel});
  ASSERT_EQ(cancelled->jobs.size(), 3U);
  EXPECT_EQ(cancelled->jobs.at(0)->state, JobState::stopping);
  EXPECT_EQ(cancelled->jobs.at(2)->state, JobState::cancelled);
  EXPECT_EQ(job(other).state, JobState::queued);
  observe(executor_.launched().at(0).token, exits(0));
  expect_refused(execute(ChangeGroup{group, cancel}), ErrorCode::conflict);
}

}  // namespace
}  // namespace ym
