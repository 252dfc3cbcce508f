#include "control/site/queue_commands.h"

#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::one_node;
using testing::spec_of;

class QueueCommands : public testing::ControllerTest {
 protected:
  void apply(Queue queue) {
    const auto applied = execute(ApplyQueues{.queues = {std::move(queue)}});
    ASSERT_TRUE(applied) << applied.error().message;
  }
  bool exists(const std::string& name) const { return controller_->tables().queues.contains(name); }
};

TEST_F(QueueCommands, AFlavorThatDoesNotExistIsNamedWithItsPlace) {
  Queue queue{.name = "a"};
  queue.quota.emplace()["t5"] = {};
  const auto refused = execute(ApplyQueues{.queues = {{.name = "b"}, queue}, .pointers = {"/queues/0", "/queues/1"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_EQ(refused.error().message, "/queues/1/quota/t5: there is no flavor 't5'; there are: default");
  EXPECT_EQ(refused.error().fields.at(0).pointer, "/queues/1/quota/t5");
  EXPECT_FALSE(exists("b")) << "all or none";
  auto desired = one_node();
  desired.flavors = {{.name = "t5"}};
  open(desired);
  EXPECT_TRUE(execute(ApplyQueues{.queues = {queue}}));
}

TEST_F(QueueCommands, WhenItsQuotaWasMadeSmallerIsKept) {
  const auto with_gpus = [](std::int64_t gpus) {
    Queue queue{.name = "a"};
    queue.quota.emplace()["default"][static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = gpus * kMilli};
    return queue;
  };
  const auto shrunk_at = [&] { return controller_->tables().queues.at("a").shrunk_at; };
  apply(with_gpus(4));
  EXPECT_EQ(shrunk_at(), std::nullopt);
  apply(with_gpus(2));
  const Instant then = clock_.now();
  EXPECT_EQ(shrunk_at(), then);
  clock_.advance(minutes(5));
  apply(with_gpus(3));
  EXPECT_EQ(shrunk_at(), then) << "more than before is no cut";
  apply({.name = "a"});
  EXPECT_EQ(shrunk_at(), clock_.now()) << "what it lent is gone";
}

TEST_F(QueueCommands, AParentThatDoesNotExistIsNamedWithItsPlace) {
  const auto refused = execute(ApplyQueues{.queues = {{.name = "a", .parent = "org"}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fields.at(0).pointer, "/queues/0/parent");
  EXPECT_EQ(refused.error().fields.at(0).message, "there is no queue 'org'");
}

TEST_F(QueueCommands, AQueueThatNobodyUsesLeavesAtOnce) {
  apply({.name = "a"});
  ASSERT_TRUE(execute(RemoveQueue{"a"}));
  EXPECT_FALSE(exists("a"));
  EXPECT_EQ(execute(RemoveQueue{"a"}).error().code, ErrorCode::not_found);
}

TEST_F(QueueCommands, AQueueInUseTakesNoMoreJobsAndLeavesWithTheLast) {
  apply({.name = "a"});
  auto spec = spec_of("train");
  spec.queue = "a";
  const JobId id = submit(spec);
  ASSERT_TRUE(execute(RemoveQueue{"a"}));
  ASSERT_TRUE(execute(RemoveQueue{"a"})) << "said twice without harm";
  EXPECT_TRUE(exists("a"));
  EXPECT_EQ(execute(SubmitJobs{.specs = {spec}}).error().message,
            "/queue: queue 'a' is being removed and takes no new jobs");
  ASSERT_TRUE(execute(CancelJob{id}));
  EXPECT_FALSE(exists("a"));
  EXPECT_EQ(execute(RetryJob{id}).error().message, "there is no queue 'a'; there are: default");
}

TEST_F(QueueCommands, SomeQueuesStay) {
  EXPECT_EQ(execute(RemoveQueue{"default"}).error().message,
            "the queue 'default' is the only one, and jobs that name no queue go to it; apply another one first");
  auto desired = one_node();
  desired.queues = {{.name = "of-file"}};
  open(desired);
  EXPECT_EQ(execute(RemoveQueue{"of-file"}).error().code, ErrorCode::conflict);
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "org"}, {.name = "a", .parent = "org"}}}));
  EXPECT_EQ(execute(RemoveQueue{"org"}).error().message, "queue 'org' has queues below it; remove these first: a");
}

}  // namespace
}  // namespace ym
