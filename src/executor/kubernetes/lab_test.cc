#include <atomic>

#include "executor/kubernetes/pods/names.h"
#include "executor/kubernetes/testing/lab_fixture.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;
using testing::LabTest;
using testing::Recorder;

TEST_F(LabTest, APodRunsAndEndsAsTheClusterSays) {
  auto with = options();
  with.pod.annotations = {{"kube-lab.test/run", "1"}, {"kube-lab.test/exit", "3"}};
  make(with);
  // A list that comes later than the pod may lack it; then the pod is requested.
  ASSERT_TRUE(eventually([&] { return executor->requests()["watch pods"] >= 2; }));
  const auto launch = request({"n1"}, 2);
  executor->launch(launch);
  ASSERT_TRUE(seen.wait_for<LaunchAccepted>(launch.token));
  ASSERT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
  const auto exit = seen.of<TaskHasEnded>(launch.token)[0].exit;
  // No agent ever claimed it, so user code never ran, whatever the exit code of the container is.
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_NE(exit.message.find('3'), std::string::npos) << exit.message;
  EXPECT_NE(lab->kubectl("get pod -n " + name_space + " " + pod_of(launch.token) + " -o jsonpath={.spec.nodeName}")
                .find("n1"),
            std::string::npos);
  executor->release(launch.token);
  EXPECT_TRUE(eventually([&] { return phase_of(launch.token).empty(); }));
  const auto requests = executor->requests();
  EXPECT_EQ(requests.at("create pods"), 1U);
  EXPECT_EQ(requests.at("delete pods"), 1U);
  EXPECT_EQ(requests.at("list pods"), 2U);
  EXPECT_EQ(requests.count("get pods"), 0U);
}

TEST_F(LabTest, AGangIsHeldUntilAllHaveClaimedAndEndsByTheAgentsWord) {
  make(options());
  auto launch = request({"n1", "n2"}, 8);
  JobSpec spec = *launch.spec;
  spec.workdir = "/home/ada";
  spec.workdir_left_out = true;
  launch.spec = std::make_shared<JobSpec>(spec);
  executor->launch(launch);
  ASSERT_TRUE(eventually([&] { return phase_of(launch.token, 1) == "Running"; }));
  using TaskState = remote::TaskReport::State;
  const auto first = report(launch.token, 0, TaskState::waiting);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->barrier, remote::TaskOrders::Barrier::wait);
  EXPECT_TRUE(seen.of<GangIsWaiting>(launch.token).empty());
  claim_and_open(launch);
  const auto orders = report(launch.token, 1, TaskState::waiting);
  ASSERT_TRUE(orders);
  EXPECT_EQ(orders->barrier, remote::TaskOrders::Barrier::go);
  EXPECT_EQ(orders->launch.value().workdir, "") << "it named no folder: that of the image";
  for (int task = 0; task < 2; ++task)
    ASSERT_TRUE(report(launch.token, task, TaskState::ended, TaskExit{.by = EndedBy::exit, .exit_code = 7}));
  ASSERT_TRUE(seen.wait_for<TaskHasEnded>(launch.token, 2));
  EXPECT_EQ(seen.of<TaskHasEnded>(launch.token)[0].exit.exit_code, 7);
}

TEST_F(LabTest, WhatIsStoppedBeforeTheBarrierLeavesTheCluster) {
  make(options());
  const auto launch = request({"n1", "n2", "n3"});
  executor->launch(launch);
  ASSERT_TRUE(eventually([&] { return phase_of(launch.token, 2) == "Running"; }));
  executor->stop(launch.token, {.cause = StopCause::cancel, .grace = seconds(5)});
  EXPECT_TRUE(seen.wait_for<TaskHasEnded>(launch.token, 3));
  EXPECT_TRUE(eventually([&] { return phase_of(launch.token, 0).empty() && phase_of(launch.token, 2).empty(); }));
  EXPECT_EQ(seen.of<TaskHasEnded>(launch.token)[0].exit.by, EndedBy::start_failed);
}

TEST_F(LabTest, AForeignPodOfOurNameIsLeftAlone) {
  make(options());
  const auto launch = request({"n1"});
  lab->kubectl("run " + pod_of(launch.token) + " -n " + name_space +
               " --image=foreign --overrides='{\"spec\":{\"nodeName\":\"n4\"}}'");
  executor->launch(launch);
  ASSERT_TRUE(seen.wait_for<LaunchRefused>(launch.token));
  EXPECT_NE(seen.of<LaunchRefused>(launch.token)[0].message.find("another program has a pod"), std::string::npos);
  executor->stop(launch.token, {.cause = StopCause::cancel, .grace = {}});
  executor->release(launch.token);
  EXPECT_FALSE(eventually([&] { return phase_of(launch.token).empty(); }, seconds(3)));
}

TEST_F(LabTest, AnExecutorMadeLaterFindsItsPodsAgain) {
  make(options());
  const auto launch = request({"n1", "n2"});
  const auto lost = request({"n3"});
  executor->launch(launch);
  ASSERT_TRUE(eventually([&] { return phase_of(launch.token, 1) == "Running"; }));
  executor.reset();
  make(options(), {{.request = launch, .tasks = std::vector<TaskStatus>(2)},
                   {.request = lost, .tasks = std::vector<TaskStatus>(1)}});
  ASSERT_TRUE(seen.wait_for<TokenIsUnknown>(lost.token));
  claim_and_open(launch);
  EXPECT_TRUE(seen.of<TokenIsUnknown>(launch.token).empty());
  // The answer is safe: it never ran, and may be launched now.
  executor->launch(lost);
  EXPECT_TRUE(eventually([&] { return phase_of(lost.token) == "Running"; }));
}

TEST_F(LabTest, WhatAnEarlierServerHasLeftIsTakenAwayByOneThatIsKnownToBeNoOlder) {
  auto with = options();
  with.pod.annotations = {{"kube-lab.test/run", "1"}};
  make(with);
  const auto left = request({"n1"});
  executor->launch(left);
  ASSERT_TRUE(eventually([&] { return phase_of(left.token) == "Succeeded"; }));
  executor.reset();
  make(options());
  EXPECT_FALSE(eventually([&] { return phase_of(left.token).empty(); }, seconds(3))) << "it may be another leader's";
  executor.reset();
  make(options(), {}, left.token.epoch + 1);
  EXPECT_TRUE(eventually([&] { return phase_of(left.token).empty(); }));
}

class AheadClock final : public Clock {
 public:
  Instant now() const override { return testing::SystemClock().now() + ahead.load(); }
  std::atomic<Duration> ahead = Duration{};
};

// A flavor was removed from the configuration while the server was down: no call mentions it.
TEST_F(LabTest, UnwantedPlaceholdersAreTakenAway) {
  const auto made = lab->kubectl("run ym-node-gone-1 --image=x -n " + name_space +
                                 " --labels=yardmaster.dev/managed-by=yardmaster,yardmaster.dev/placeholder=gone");
  ASSERT_NE(made.find("created"), std::string::npos) << made;
  const auto is_there = [&] {
    return !lab->kubectl("get pod ym-node-gone-1 --ignore-not-found -n " + name_space).empty();
  };
  AheadClock ahead;
  auto fast = make_kubernetes_executor(options(), ahead);
  ASSERT_TRUE(fast) << fast.error().message;
  ASSERT_TRUE((*fast)->start(seen.sink(), {}));
  EXPECT_FALSE(eventually([&] { return !is_there(); }, seconds(3))) << "control may not have said all it wants";
  ahead.ahead = seconds(60);
  EXPECT_TRUE(eventually([&] { return !is_there(); }));
}

}  // namespace
}  // namespace ym::kubernetes
