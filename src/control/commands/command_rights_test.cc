#include "control/commands/command_rights.h"

#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class CommandRights : public testing::AccessFixture {
 protected:
  void SetUp() override {
    AccessFixture::SetUp();
    set_mode(AccessMode::by_bindings);
    for (const auto* name : {"ann", "bob"}) add_principal(name);
    add_queue("org", "");
    add_queue("vision", "org");
    add_queue("night", "vision");
    add_queue("speech", "org");
    add(ProjectSet{{.name = "cars"}});
  }
  ErrorCode code_of(const std::string& principal, const Command& command) {
    const auto may = check_rights(tables_, access_of(principal), command);
    return may ? ErrorCode{} : may.error().code;
  }
  bool is_allowed(const std::string& principal, const Command& command) {
    return check_rights(tables_, access_of(principal), command).has_value();
  }
  Access access_of(const std::string& principal, const std::vector<std::string>& scopes = {}) {
    auto access = context_of({.principal = principal}).access();
    access.limits = limits_of(scopes, *access.rules);
    return access;
  }
  static ApplyQueues queue(const std::string& name, const std::string& parent) {
    return {.queues = {{.name = name, .parent = parent}}};
  }
};

TEST_F(CommandRights, AQueuesAdministratorChangesTheQueuesBelowIt) {
  bind("queue-admin", "ann", "queue:vision");
  EXPECT_TRUE(is_allowed("ann", queue("night", "vision")));
  EXPECT_TRUE(is_allowed("ann", queue("day", "vision")));
  EXPECT_TRUE(is_allowed("ann", RemoveQueue{"night"}));
  EXPECT_TRUE(is_allowed("ann", SetQueueStop{.queue = "vision"}));
  EXPECT_FALSE(is_allowed("ann", queue("vision", "org"))) << "not the queue itself: it would raise its own quota";
  EXPECT_FALSE(is_allowed("ann", RemoveQueue{"vision"}));
  EXPECT_FALSE(is_allowed("ann", queue("root", "")));
  EXPECT_FALSE(is_allowed("ann", queue("night", "speech"))) << "into a queue of others";
  EXPECT_FALSE(is_allowed("ann", ApplyPolicy{}));
}

TEST_F(CommandRights, AQueuesAdministratorSharesItsQuotaAndMakesNone) {
  const auto with_gpus = [](const std::string& name, const std::string& parent, std::int64_t gpus) {
    Queue row{.name = name, .parent = parent};
    row.quota.emplace();
    (*row.quota)["t4"][static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = gpus * kMilli};
    return row;
  };
  add(QueueSet{with_gpus("night", "vision", 8)});
  bind("queue-admin", "ann", "queue:vision");
  bind("queue-admin", "bob", "queue:org");
  const ApplyQueues more{.queues = {with_gpus("night", "vision", 9)}};
  const ApplyQueues shared{.queues = {with_gpus("night", "vision", 5), with_gpus("day", "vision", 3)}};
  EXPECT_EQ(code_of("ann", more), ErrorCode::forbidden);
  EXPECT_TRUE(is_allowed("ann", shared));
  EXPECT_EQ(code_of("ann", {ApplyQueues{.queues = {with_gpus("day", "vision", 1)}}}), ErrorCode::forbidden);
  EXPECT_EQ(code_of("bob", more), ErrorCode::forbidden) << "the whole org would own more";
  add(QueueSet{with_gpus("speech", "org", 4)});
  EXPECT_TRUE(
      is_allowed("bob", ApplyQueues{.queues = {with_gpus("night", "vision", 9), with_gpus("speech", "org", 3)}}));
  add_principal("root");
  bind("admin", "root", "site");
  EXPECT_TRUE(is_allowed("root", more));
}

TEST_F(CommandRights, AQueuesAdministratorOpensNothingThatIsLimited) {
  const auto with = [](const std::string& name, std::optional<QuotaList> quota) {
    Queue row{.name = name, .parent = "vision"};
    row.quota = std::move(quota);
    return ApplyQueues{.queues = {row}};
  };
  FlavorQuota gpus, cpus;
  gpus[static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = 8 * kMilli};
  cpus[static_cast<std::size_t>(ResourceKind::cpus)] = Quota{.nominal = 0};
  add(QueueSet{with("night", QuotaList{{"t4", gpus}}).queues.at(0)});
  bind("queue-admin", "ann", "queue:vision");
  EXPECT_EQ(code_of("ann", with("night", QuotaList{{"t4", cpus}})), ErrorCode::forbidden) << "GPUs without a limit";
  EXPECT_EQ(code_of("ann", with("day", QuotaList{{"t4", {}}})), ErrorCode::forbidden);
  EXPECT_EQ(code_of("ann", with("night", std::nullopt)), ErrorCode::forbidden);
  gpus[static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = 0};
  EXPECT_EQ(code_of("ann", with("day", QuotaList{{"h100", gpus}})), ErrorCode::forbidden) << "it could be borrowed";
  EXPECT_TRUE(is_allowed("ann", with("day", QuotaList{{"t4", gpus}})));
}

TEST_F(CommandRights, AQueuesAdministratorDrawsNoJobsOfOthers) {
  bind("queue-admin", "ann", "queue:vision");
  Queue night{.name = "night", .parent = "vision"};
  night.default_for = {.users = {"bob"}};
  EXPECT_EQ(code_of("ann", ApplyQueues{.queues = {night}}), ErrorCode::forbidden);
  add(QueueSet{night});
  EXPECT_TRUE(is_allowed("ann", ApplyQueues{.queues = {night}})) << "it was so before";
}

// A question about it must come to an end.
TEST_F(CommandRights, AQueueAboveItselfHasNoParent) {
  add_queue("snake", "tail");
  add_queue("tail", "snake");
  bind("queue-user", "bob", "queue:org");
  EXPECT_FALSE(allows(access_of("bob"), Permission::queues_use, {.queue = "snake"}));
}

TEST_F(CommandRights, WhatIsNotSeenIsNotThere) {
  add(NodeSet{{.name = "n1", .cluster = "lab"}});
  for (const Command& command : {Command(SetQueueStop{.queue = "vision"}), Command(RemoveQueue{"vision"}),
                                 Command(SetNodeSchedulable{.node = "n1", .schedulable = false})})
    EXPECT_EQ(code_of("ann", command), ErrorCode::not_found);
  bind("queue-admin", "ann", "queue:speech");
  EXPECT_EQ(code_of("ann", queue("night", "speech")), ErrorCode::conflict) << "the name is taken";
  EXPECT_EQ(code_of("bob", queue("night", "speech")), ErrorCode::forbidden) << "the same as of a new name";
}

TEST_F(CommandRights, AQueueDoesNotMoveToWhereItsMoverHasMoreRights) {
  add(RoleSet{{.name = "editor", .permissions = {Permission::queues_edit, Permission::roles_bind}}});
  bind("editor", "ann", "queue:vision");
  bind("queue-admin", "ann", "queue:speech");
  EXPECT_FALSE(is_allowed("ann", queue("night", "speech"))) << "she would see and cancel its jobs";
  bind("queue-admin", "ann", "queue:vision");
  EXPECT_TRUE(is_allowed("ann", queue("night", "speech")));
}

TEST_F(CommandRights, ANodeIsDrainedByItsClustersOperator) {
  add(NodeSet{{.name = "n1", .cluster = "lab"}});
  bind("operator", "ann", "cluster:lab");
  bind("operator", "bob", "queue:org");
  EXPECT_TRUE(is_allowed("ann", SetNodeSchedulable{.node = "n1", .schedulable = false}));
  EXPECT_FALSE(is_allowed("bob", SetNodeSchedulable{.node = "n1", .schedulable = false}));
  EXPECT_EQ(code_of("ann", CreateReservation{}), ErrorCode::forbidden);
}

TEST_F(CommandRights, ANewJobNeedsItsProjectAndItsQueue) {
  bind("member", "ann", "project:cars");
  EXPECT_FALSE(require_for_new_job(access_of("ann"), "cars", "vision"));
  bind("queue-user", "ann", "queue:org");
  EXPECT_TRUE(require_for_new_job(access_of("ann"), "cars", "vision"));
  EXPECT_FALSE(require_for_new_job(access_of("ann"), "boats", "vision"));
  EXPECT_TRUE(require_for_new_job(access_of("ann", {"project:cars"}), "cars", "vision")) << "the job is in both";
  EXPECT_TRUE(require_for_new_job(access_of("ann", {"project:cars", "queue:vision"}), "cars", "night"));
  EXPECT_FALSE(require_for_new_job(access_of("ann", {"project:cars", "queue:speech"}), "cars", "vision"));
  EXPECT_FALSE(require_for_new_job(access_of("ann", {"viewer"}), "cars", "vision"));
}

TEST_F(CommandRights, AJobThatIsNotSeenIsNotThere) {
  const Job job{.id = JobId{7}, .project = "cars", .owner = "bob", .queue = "vision"};
  EXPECT_EQ(require_on_job(access_of("ann"), Permission::jobs_cancel, job).error().code, ErrorCode::not_found);
  bind("queue-user", "ann", "queue:vision");
  EXPECT_EQ(require_on_job(access_of("ann"), Permission::jobs_cancel, job).error().code, ErrorCode::forbidden);
  bind("operator", "ann", "queue:org");
  EXPECT_TRUE(require_on_job(access_of("ann"), Permission::jobs_cancel, job));
}

}  // namespace
}  // namespace ym
