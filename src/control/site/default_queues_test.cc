// The queue of a job that names none, and when there is a queue "default".
#include "control/site/default_queues.h"

#include "base/testing/sentences.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_refused;
using testing::one_node;
using testing::spec_of;

class DefaultQueues : public testing::ControllerTest {
 protected:
  static DesiredState with(std::vector<Queue> queues) {
    auto desired = one_node();
    desired.queues = std::move(queues);
    return desired;
  }
  // Like SIGHUP.
  void reconfigure(std::vector<Queue> queues) {
    ASSERT_TRUE(controller_->stage_configuration(with(std::move(queues))));
    ASSERT_TRUE(controller_->commit());
  }
  static JobSpec without_queue(int gpus = 1) {
    auto spec = spec_of("train", gpus);
    spec.queue.clear();
    return spec;
  }
  // Of a job that names no queue.
  Result<CommandReply> submit_of(const std::string& project) {
    auto spec = without_queue();
    spec.project = project;
    return execute(SubmitJobs{.specs = {spec}});
  }
  // The queue of a job that names none.
  std::string home(const std::string& project = "default") { return submit_of(project).value().jobs.at(0)->queue; }
  // Nothing: there is no such queue.
  std::optional<Queue> queue(const std::string& name) const {
    const auto it = controller_->tables().queues.find(name);
    return it == controller_->tables().queues.end() ? std::nullopt : std::optional(it->second);
  }
};

TEST_F(DefaultQueues, WhereNoneIsConfiguredTheServerHasOneOfItsOwn) {
  const JobId id = submit(without_queue());
  EXPECT_EQ(job(id).queue, "default");
  EXPECT_EQ(job(id).spec->queue, "default") << "from then on its spec says it";
  EXPECT_EQ(execute(SubmitJobs{.specs = {without_queue()}, .dry_run = true})->queues,
            std::vector<std::string>{"default"});
}

TEST_F(DefaultQueues, WhereQueuesAreConfiguredAJobIsRefusedWithThoseItMayName) {
  open(with({{.name = "org"}, {.name = "a", .parent = "org"}, {.name = "b", .parent = "org"}}));
  EXPECT_FALSE(queue("default"));
  auto named = spec_of("named");
  named.queue = "a";
  for (const bool dry_run : {true, false})
    expect_refused(execute(SubmitJobs{.specs = {named, without_queue()}, .dry_run = dry_run}), ErrorCode::invalid,
                   "/1/queue");
  EXPECT_TRUE(controller_->tables().jobs.empty());
}

TEST_F(DefaultQueues, OneThatNamesACohortIsToldThoseBelowIt) {
  open(with({{.name = "other"},
             {.name = "org"},
             {.name = "team", .parent = "org"},
             {.name = "a", .parent = "team"},
             {.name = "b", .parent = "org"}}));
  auto named = spec_of("named");
  named.queue = "org";
  expect_refused(execute(SubmitJobs{.specs = {named}}), ErrorCode::invalid, "/queue");
}

TEST_F(DefaultQueues, JobsOfTheServersOwnGoOnWhenQueuesAreConfigured) {
  const JobId runs = submit(without_queue(4)), waits = submit(without_queue(4));
  schedule();
  observe(executor_.launched().at(0).token, TaskIsRunning{0});
  open(with({{.name = "a"}}));
  EXPECT_FALSE(queue("default")->accepts_jobs);
  EXPECT_EQ(job(runs).state, JobState::running);
  EXPECT_EQ(job(waits).state, JobState::queued);
  expect_refused(submit_of("default"), ErrorCode::invalid, "/queue");
  observe(executor_.launched().at(0).token, exits(0));
  schedule();
  EXPECT_EQ(job(waits).state, JobState::starting) << "its turn comes there";
  EXPECT_TRUE(queue("default"));
  observe(executor_.launched().at(1).token, exits(0));
  EXPECT_FALSE(queue("default")) << "it leaves with its last job";
}

TEST_F(DefaultQueues, TheServersOwnIsThereAgainWhenTheLastQueueIsTakenOut) {
  reconfigure({{.name = "a"}});
  ASSERT_FALSE(queue("default"));
  reconfigure({});
  EXPECT_FALSE(queue("a"));
  EXPECT_EQ(home(), "default");
}

TEST_F(DefaultQueues, TheServersOwnGoesAndComesWithQueuesThatAreMadeWhileItRuns) {
  const JobId waits = submit(without_queue());
  ASSERT_TRUE(execute(SetQueueStop{.queue = "default", .stop = StopPolicy::hold}));
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "a"}}}));
  EXPECT_FALSE(queue("default")->accepts_jobs);
  EXPECT_EQ(job(waits).queue, "default");
  ASSERT_TRUE(execute(RemoveQueue{"a"}));
  EXPECT_FALSE(queue("a"));
  EXPECT_EQ(home(), "default");
  EXPECT_EQ(queue("default")->stop, StopPolicy::hold) << "nobody has ended that";
}

TEST_F(DefaultQueues, OneThatAUserAskedForStaysBesideOthers) {
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "a"}, {.name = "default"}}}));
  open(one_node());
  EXPECT_EQ(home(), "default");
  ASSERT_TRUE(execute(RemoveQueue{"default"}));
  EXPECT_FALSE(queue("default")->accepts_jobs);
  reconfigure({{.name = "b"}, {.name = "default"}});
  EXPECT_EQ(home(), "default");
  reconfigure({{.name = "b"}});
  EXPECT_FALSE(queue("default")->accepts_jobs) << "the file does not list it any more";
}

TEST_F(DefaultQueues, TheUsersGoesBeforeTheProjectsAndThatBeforeTheOneForAll) {
  const Queue theirs{.name = "a", .default_for = {.users = {}, .projects = {"vision"}}};
  const Queue mine{.name = "z", .default_for = {.users = {"alice"}, .projects = {}}};
  reconfigure({theirs, mine, {.name = "default"}});
  EXPECT_EQ(home("vision"), "z");
  reconfigure({theirs, {.name = "default"}});
  EXPECT_EQ(home("vision"), "a");
  EXPECT_EQ(home("language"), "default");
  reconfigure({theirs});
  expect_refused(submit_of("language"), ErrorCode::invalid, "/queue");
}

TEST_F(DefaultQueues, NoUserHasTwo) {
  const auto of_ann = [](const std::string& name) {
    return Queue{.name = name, .default_for = {.users = {"bob-" + name, "ann"}, .projects = {}}};
  };
  ASSERT_TRUE(execute(ApplyQueues{.queues = {of_ann("a")}}));
  expect_refused(execute(ApplyQueues{.queues = {of_ann("b")}, .pointers = {"/queues/0"}}), ErrorCode::invalid,
                 "/queues/0/default_for/users/1");
  ASSERT_TRUE(execute(ApplyQueues{.queues = {of_ann("b"), {.name = "a"}}})) << "from one to the other at once";
  expect_refused(controller_->stage_configuration(with({of_ann("c")})), ErrorCode::invalid);
  EXPECT_FALSE(queue("c"));
  reconfigure({of_ann("b")});
  EXPECT_EQ(queue("b")->managed_by, ManagedBy::file) << "of the file from then on";
}

TEST_F(DefaultQueues, ACohortIsNoDefault) {
  const Queue org{.name = "org", .default_for = {.users = {}, .projects = {"vision"}}};
  const auto refused = execute(ApplyQueues{.queues = {org, {.name = "a", .parent = "org"}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fields.at(0).pointer, "/queues/0/default_for");
  EXPECT_TRUE(execute(ApplyQueues{.queues = {org}}));
}

}  // namespace
}  // namespace ym
