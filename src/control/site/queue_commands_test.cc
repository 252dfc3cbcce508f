#include "control/site/queue_commands.h"

#include "base/testing/sentences.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::expect_refused;
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
  expect_refused(execute(ApplyQueues{.queues = {{.name = "b"}, queue}, .pointers = {"/queues/0", "/queues/1"}}),
                 ErrorCode::invalid, "/queues/1/quota/t5");
  EXPECT_FALSE(exists("b")) << "all or none";
  auto desired = one_node();
  desired.flavors = {{.name = "t5"}};
  open(desired);
  EXPECT_TRUE(execute(ApplyQueues{.queues = {queue}}));
}

TEST_F(QueueCommands, AQueueIsNotAboveItself) {
  apply({.name = "a"});
  expect_refused(execute(ApplyQueues{.queues = {{.name = "a", .parent = "a"}}}), ErrorCode::invalid,
                 "/queues/0/parent");
  apply({.name = "b", .parent = "a"});
  expect_refused(execute(ApplyQueues{.queues = {{.name = "a", .parent = "b"}}}), ErrorCode::invalid,
                 "/queues/0/parent");
  expect_refused(execute(ApplyQueues{.queues = {{.name = "c", .parent = "d"}, {.name = "d", .parent = "c"}}}),
                 ErrorCode::invalid, "/queues/0/parent");
}

TEST_F(QueueCommands, AQueueAtWhichTheFileGivesRolesStays) {
  apply({.name = "a"});
  apply({.name = "b"});
  auto desired = one_node();
  desired.auth = AuthSettings{.bindings = {{"admin", "alice", {}}, {"viewer", "bob", {ScopeKind::queue, "a"}}}};
  open(desired);
  EXPECT_EQ(execute(RemoveQueue{"a"}).error().code, ErrorCode::conflict);
  EXPECT_TRUE(execute(RemoveQueue{"b"}));
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
  expect_refused(execute(ApplyQueues{.queues = {{.name = "a", .parent = "org"}}}), ErrorCode::invalid,
                 "/queues/0/parent");
}

TEST_F(QueueCommands, AnUnusedQueueLeavesAtOnce) {
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
  expect_refused(execute(SubmitJobs{.specs = {spec}}), ErrorCode::invalid, "/queue");
  ASSERT_TRUE(execute(CancelJob{id}));
  EXPECT_FALSE(exists("a"));
  expect_refused(execute(RetryJob{id}), ErrorCode::conflict);
}

TEST_F(QueueCommands, SomeQueuesStay) {
  expect_refused(execute(RemoveQueue{"default"}), ErrorCode::conflict);
  auto desired = one_node();
  desired.queues = {{.name = "of-file"}};
  open(desired);
  EXPECT_EQ(execute(RemoveQueue{"of-file"}).error().code, ErrorCode::conflict);
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "org"}, {.name = "a", .parent = "org"}}}));
  expect_refused(execute(RemoveQueue{"org"}), ErrorCode::conflict);
}

}  // namespace
}  // namespace ym
