// What callers see of the jobs of others, where bindings decide.
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class WhatCallersSee : public testing::ControlServerTest {
 protected:
  AccessMode access_mode() const override { return AccessMode::by_bindings; }

  void SetUp() override {
    ControlServerTest::SetUp();
    make_token_of("root");
    for (const auto* name : {"ann", "bob", "eve"}) make_token_of(name);
    must(ApplyQueues{.queues = {{.name = "vision"}, {.name = "speech"}}});
    must(SetProject{.project = "cars"});
    bind("member", "ann", "project:cars");
    bind("queue-user", "ann", "queue:vision");
  }
  void must(Command command) { ASSERT_TRUE(server_->execute_now(std::move(command))); }
  void bind(const std::string& role, const std::string& to, const std::string& scope) {
    must(BindRole{.role = role, .to = to, .scope = parse_scope(scope).value()});
  }
  Result<CommandReply> execute_as(const std::string& principal, Command command) {
    std::promise<Result<CommandReply>> answered;
    server_->execute({.principal = principal}, std::move(command),
                     [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
    return answered.get_future().get();
  }
  // Of more GPUs than there are: it waits.
  JobId submit_as(const std::string& principal, const std::string& project, const std::string& queue) {
    JobSpec spec = spec_of("secret-name", 4);
    spec.project = project;
    spec.queue = queue;
    spec.env["KEY"] = "canary";
    const auto reply = execute_as(principal, SubmitJobs{.specs = {spec}});
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    return reply ? reply->jobs.at(0)->id : JobId{};
  }
  std::size_t listed_to(const std::string& principal) {
    return server_->reads().jobs({.principal = principal}, {}, 100)->items.size();
  }
  std::optional<ErrorCode> why_of(const std::string& principal, JobId job) {
    const auto why = server_->why({.principal = principal}, job);
    return why ? std::nullopt : std::optional(why.error().code);
  }
};

TEST_F(WhatCallersSee, AJobOfAPrivateProjectIsNotThere) {
  must(SetProject{.project = "cars", .visibility = Visibility::hidden});
  const JobId job = submit_as("ann", "cars", "vision");
  bind("queue-user", "eve", "queue:vision");
  EXPECT_EQ(listed_to("ann"), 1U);
  EXPECT_EQ(listed_to("eve"), 0U);
  EXPECT_EQ(listed_to("bob"), 0U);
  EXPECT_EQ(server_->reads().job({.principal = "eve"}, job).error().code, ErrorCode::not_found);
  EXPECT_EQ(why_of("eve", job), ErrorCode::not_found);
  EXPECT_EQ(execute_as("eve", CancelJob{job}).error().code, ErrorCode::not_found);
  EXPECT_EQ(execute_as("eve", CancelJobs{{job}})->refused.at(0).error.code, ErrorCode::not_found);
  EXPECT_EQ(why_of("ann", job), std::nullopt);
}

TEST_F(WhatCallersSee, AUserOfTheQueueSeesTheOutline) {
  const JobId job = submit_as("ann", "cars", "vision");
  bind("queue-user", "eve", "queue:vision");
  const auto seen = server_->reads().job({.principal = "eve"}, job);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->job->owner, "ann");
  EXPECT_EQ(seen->job->spec->resources.gpus, 4000);
  EXPECT_TRUE(seen->job->name.empty() && seen->job->spec->env.empty() && seen->job->spec->run.words.empty());
  EXPECT_EQ(server_->reads().jobs({.principal = "eve"}, {}, 10)->items.at(0).job->name, "");
  EXPECT_EQ(why_of("eve", job), ErrorCode::forbidden);
  EXPECT_EQ(execute_as("eve", CancelJob{job}).error().code, ErrorCode::forbidden);
  bind("operator", "bob", "queue:vision");
  EXPECT_TRUE(execute_as("bob", CancelJob{job}));
}

TEST_F(WhatCallersSee, AJobNeedsBothRights) {
  JobSpec spec = spec_of("train", 1);
  spec.project = "cars";
  spec.queue = "speech";
  EXPECT_EQ(execute_as("ann", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::forbidden);
  spec.queue = "vision";
  spec.project = "default";
  EXPECT_EQ(execute_as("ann", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::forbidden);
  spec.project = "cars";
  EXPECT_TRUE(execute_as("ann", SubmitJobs{.specs = {spec}}));
  EXPECT_EQ(execute_as("bob", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::forbidden);
}

TEST_F(WhatCallersSee, AHiddenJobAheadIsOnlyCounted) {
  must(SetProject{.project = "boats", .visibility = Visibility::hidden});
  bind("member", "bob", "project:boats");
  bind("queue-user", "bob", "queue:vision");
  submit_as("bob", "boats", "vision");
  submit_as("bob", "boats", "vision");
  const JobId mine = submit_as("ann", "cars", "vision");
  ASSERT_TRUE(eventually([&] { return server_->why({.principal = "ann"}, mine)->ahead_total > 0; }));
  const auto why = server_->why({.principal = "ann"}, mine);
  EXPECT_TRUE(why->ahead.empty());
  EXPECT_TRUE(why->names.empty());
}

TEST_F(WhatCallersSee, AnOwnerThatLosesTheMembershipLosesTheJobs) {
  const JobId job = submit_as("ann", "cars", "vision");
  for (const Binding& binding : server_->reads().access().bindings(self_))
    if (binding.grantee.name == "ann") must(UnbindRole{binding.name});
  EXPECT_EQ(server_->reads().job({.principal = "ann"}, job).error().code, ErrorCode::not_found);
  EXPECT_EQ(execute_as("ann", CancelJob{job}).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace ym
