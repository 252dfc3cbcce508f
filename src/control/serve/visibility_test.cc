// What callers see of the jobs of others, where bindings decide.
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class WhatCallersSee : public testing::ControlServerTest {
 protected:
  std::optional<AuthSettings> auth() const override { return AuthSettings{}; }

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
  EXPECT_EQ(execute_as("ann", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::invalid) << "it is not there";
  bind("viewer", "ann", "queue:speech");
  EXPECT_EQ(execute_as("ann", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::forbidden);
  spec.queue = "vision";
  spec.project = "default";
  EXPECT_EQ(execute_as("ann", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::forbidden);
  spec.project = "cars";
  EXPECT_TRUE(execute_as("ann", SubmitJobs{.specs = {spec}}));
  EXPECT_EQ(execute_as("bob", SubmitJobs{.specs = {spec}}).error().code, ErrorCode::invalid);
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

TEST_F(WhatCallersSee, TheFeedShowsAsMuchAsTheJobs) {
  const JobId job = submit_as("ann", "cars", "vision");
  bind("queue-user", "eve", "queue:vision");
  const auto seen_by = [&](const std::string& principal) {
    return server_->reads().events({.principal = principal}, {.job = job}, 100)->items;
  };
  ASSERT_FALSE(seen_by("ann").empty());
  EXPECT_FALSE(seen_by("ann").front().outline);
  ASSERT_FALSE(seen_by("eve").empty());
  EXPECT_TRUE(seen_by("eve").front().outline);
  EXPECT_TRUE(seen_by("bob").empty());
  must(SetProject{.project = "cars", .visibility = Visibility::hidden});
  EXPECT_TRUE(seen_by("eve").empty());
}

// The page goes on after what was hidden, so that a reader of all pages comes to the end.
TEST_F(WhatCallersSee, PagesOfTheFeedPassWhatIsHidden) {
  submit_as("ann", "cars", "vision");
  const auto all = server_->reads().stored_events({}, 1000).value();
  std::vector<SeenEvent> seen_by_bob;
  EventPage page{.last = 0, .more = true};
  while (page.more) {
    page = server_->reads().events({.principal = "bob"}, {.after = page.last}, 5).value();
    seen_by_bob.insert(seen_by_bob.end(), page.items.begin(), page.items.end());
  }
  EXPECT_GE(page.last, all.back().seq);
  EXPECT_LT(seen_by_bob.size(), all.size());
  for (const SeenEvent& seen : seen_by_bob) {
    EXPECT_FALSE(job_of(seen.event.payload));
    EXPECT_FALSE(std::holds_alternative<QueueSet>(seen.event.payload));
    EXPECT_FALSE(std::holds_alternative<BindingSet>(seen.event.payload));
  }
  EXPECT_GE(server_->reads().events(self_, {}, 1000)->items.size(), all.size());
}

TEST_F(WhatCallersSee, TheQueuesThatTheyUseAndThoseAbove) {
  must(ApplyQueues{.queues = {{.name = "night", .parent = "vision"}}});
  bind("queue-user", "eve", "queue:night");
  const auto names_for = [&](const std::string& principal) {
    std::vector<std::string> names;
    for (const QueueView& view : server_->reads().queues({.principal = principal})) names.push_back(view.queue.name);
    return names;
  };
  EXPECT_EQ(names_for("eve"), (std::vector<std::string>{"night", "vision"}));
  EXPECT_EQ(names_for("ann"), (std::vector<std::string>{"night", "vision"})) << "she uses all below vision";
  EXPECT_TRUE(names_for("bob").empty());
  EXPECT_EQ(execute_as("bob", SetQueueStop{.queue = "night"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(execute_as("eve", SetQueueStop{.queue = "night"}).error().code, ErrorCode::forbidden);
}

TEST_F(WhatCallersSee, OnANodeTheirOwnJobsByIdAndOthersByNumber) {
  must(SetProject{.project = "cars", .visibility = Visibility::hidden});
  JobSpec spec = spec_of("train", 1);
  spec.project = "cars";
  spec.queue = "vision";
  const JobId job = execute_as("ann", SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  ASSERT_TRUE(eventually([&] { return !server_->reads().job(self_, job)->attempts.empty(); }));
  bind("queue-user", "eve", "queue:vision");
  const auto uses_for = [&](const std::string& principal) {
    std::size_t named = 0;
    std::int64_t hidden = 0;
    for (const NodeView& view : server_->reads().nodes({.principal = principal}))
      for (const DeviceUse& use : view.devices) named += use.attempts.size(), hidden += use.hidden;
    return std::pair(named, hidden);
  };
  EXPECT_EQ(uses_for("ann"), std::pair(std::size_t{1}, std::int64_t{0}));
  EXPECT_EQ(uses_for("eve"), std::pair(std::size_t{0}, std::int64_t{1}));
  EXPECT_TRUE(server_->reads().nodes({.principal = "bob"}).empty());
}

TEST_F(WhatCallersSee, ReservationsThatConcernThem) {
  const Instant soon = clock_.now() + hours(10);
  const auto reserve = [&](const std::string& name, std::vector<std::string> users, Duration after) {
    must(CreateReservation{{.wanted = {.name = name,
                                       .from = soon + after,
                                       .until = soon + after + hours(1),
                                       .nodes = {"n1"},
                                       .users = std::move(users)}}});
  };
  reserve("of-ann", {"ann"}, hours(0));
  reserve("repair", {}, hours(2));
  EXPECT_EQ(server_->reads().reservations({.principal = "ann"}).size(), 2U);
  EXPECT_EQ(server_->reads().reservations({.principal = "eve"}).size(), 1U) << "all must know of a repair";
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
