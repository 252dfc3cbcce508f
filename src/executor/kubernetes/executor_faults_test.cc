// Gangs that come late, and placeholders that exist already.
#include "executor/kubernetes/testing/executor.h"
#include "executor/remote/wire.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;
using testing::ExecutorTest;
using Barrier = remote::TaskOrders::Barrier;

class Gang : public ExecutorTest {
 protected:
  static TaskClaim claim(std::int32_t task) {
    return {.nonce = "a", .address = "10.0.0.1", .port = 29'500, .node = "n" + std::to_string(task + 1)};
  }
  // What the agent of the task is told at the launch barrier.
  Barrier barrier_of(std::int32_t task) {
    const remote::TaskReport report{.token = launch.token, .nonce = "a", .claim = claim(task)};
    const auto answer = executor->task_link()->report({launch.token.key(), task}, encode(report));
    const auto orders = answer ? remote::decode_orders(*answer) : std::unexpected(answer.error());
    EXPECT_TRUE(orders) << (orders ? "" : orders.error().message);
    return orders ? orders->barrier : Barrier::release;
  }
  // Lets time pass until `test` holds.
  bool in_time(const std::function<bool()>& test, Duration step = seconds(1)) {
    return eventually([&] {
      clock.advance(step);
      return test();
    });
  }
  LaunchRequest launch = launch_of(1, {"n1", "n2"});
};

// One of its nodes pulls a large image.
TEST_F(Gang, IsWaitedForAsLongAsAPodMayTakeToStart) {
  options.start = minutes(20);
  start();
  executor->launch(launch);
  EXPECT_EQ(barrier_of(0), Barrier::wait);
  clock.advance(minutes(19));
  // This report is the last one that the new time causes.
  ASSERT_TRUE(in_time([&] { return !seen.of<ClusterIsSeen>({}).empty(); }, Duration{50}));
  EXPECT_EQ(barrier_of(0), Barrier::wait);
  clock.advance(minutes(1));
  EXPECT_TRUE(eventually([&] { return barrier_of(0) == Barrier::release; }));
}

// Its pod was created and deleted while there was no watch, and the cluster chose its node: only the agent named it.
TEST_F(Gang, ATaskThatNoWatchHasShownHasEndedWhenTheNodeOfItsClaimIsGoodForLongEnough) {
  options.pod.node_choice = NodeChoice::delegated;
  launch = launch_of(1, {"n9"});
  api->put_node("n1");
  start();
  ASSERT_TRUE(eventually([&] { return !seen.of<NodesAreSeen>({}).empty(); }));
  executor->launch(launch);
  ASSERT_TRUE(eventually([&] { return !seen.of<LaunchAccepted>(launch.token).empty(); }));
  EXPECT_EQ(barrier_of(0), Barrier::wait);
  executor->open_barrier(launch.token, std::vector{claim(0)});
  EXPECT_EQ(barrier_of(0), Barrier::go);
  api->take(pod_name({launch.token, 0}));
  api->end_watches();
  EXPECT_TRUE(in_time([&] { return !seen.of<TaskHasEnded>(launch.token).empty(); }));
}

class MissingNodes : public ExecutorTest {
 protected:
  // No list shows later objects.
  void start_and_list() {
    start();
    ASSERT_TRUE(eventually([&] { return api->has_listed_pods() && !seen.of<NodesAreSeen>({}).empty(); }));
  }
  void want(std::int64_t nodes) {
    flavor.wanted.nodes = nodes;
    executor->provision(flavor);
  }
  void put_placeholder(const std::string& instance) {
    const json::object labels{{kManagedBy, instance}, {kPlaceholderLabel, "Burst"}};
    api->put(first, json::object{{"metadata", json::object{{"name", first}, {"uid", "u"}, {"labels", labels}}}});
  }
  // Lets time pass until another creation is requested; less must pass until the created one is shown.
  bool makes_another() {
    const auto until = clock.now() + seconds(55);
    return eventually([&] {
      if (clock.now() < until) clock.advance(Duration{100});
      return api->count("POST") > 1;
    });
  }
  Flavor flavor{.name = "Burst", .elastic = ElasticCapacity{.max_nodes = 8}};
  const std::string first = placeholder_name(options.pod.instance, "Burst", 1);
  const std::string second = placeholder_name(options.pod.instance, "Burst", 2);
};

TEST_F(MissingNodes, APlaceholderOfOursThatIsThereAlreadyIsDone) {
  start_and_list();
  put_placeholder(options.pod.instance);
  want(1);
  ASSERT_TRUE(eventually([&] { return api->count("GET") == 1; }));
  want(2);
  EXPECT_TRUE(makes_another());
  EXPECT_EQ(api->asked("POST"), (std::vector{first, second}));
}

TEST_F(MissingNodes, AnothersThatHasItsNameIsNot) {
  start_and_list();
  put_placeholder("another");
  want(1);
  EXPECT_TRUE(makes_another());
  EXPECT_EQ(api->asked("POST"), (std::vector{first, first}));
}

}  // namespace
}  // namespace ym::kubernetes
