// Failures of a real cluster: the API server goes away, nodes are lost, other programs interfere.
#include <fmt/format.h>

#include <cstdlib>

#include "executor/kubernetes/testing/lab_fixture.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;
using testing::LabTest;
using testing::Recorder;

using State = remote::TaskReport::State;

bool cluster_was_said(const Recorder& seen, bool available) {
  for (const auto& each : seen.all())
    if (const auto* what = std::get_if<ClusterIsSeen>(&each.what); what && what->available == available) return true;
  return false;
}

class LabFaults : public LabTest {
 protected:
  KubernetesOptions quick() const {
    auto with = options();
    with.unavailable = seconds(2);
    with.node_contact = seconds(18);  // the lab needs 16 to notice
    with.pod.stop_margin = seconds(1);
    return with;
  }
  LaunchRequest run_one(const std::string& node) {
    const auto launch = request({node});
    executor->launch(launch);
    EXPECT_TRUE(eventually([&] { return phase_of(launch.token) == "Running"; }));
    return launch;
  }
  void TearDown() override {
    if (lab && !down.empty()) lab->run("node-up " + down);
    LabTest::TearDown();
  }
  void cut_off(const std::string& node) {
    down = node;
    lab->run("node-down " + node);
  }
  std::string down;
};

// The watch resumes with a version that the new server does not have any more: it answers 200, and then 410.
TEST_F(LabFaults, AnApiServerThatIsKilledAndComesBackLosesNothing) {
  make(quick());
  // All watched collections were listed.
  ASSERT_TRUE(eventually([&] {
    auto requests = executor->requests();
    return requests["watch pods"] >= 2 && requests["watch nodes"] >= 1;
  }));
  const auto launch = run_one("n1");
  const auto before = executor->requests();
  lab->run("apiserver-kill");
  ASSERT_TRUE(eventually([&] { return cluster_was_said(seen, false); }));
  const auto meanwhile = request({"n2"});
  executor->launch(meanwhile);
  ASSERT_EQ(lab->start_api_server(), "");
  EXPECT_TRUE(eventually([&] { return phase_of(meanwhile.token) == "Running"; }));
  EXPECT_TRUE(eventually([&] { return cluster_was_said(seen, true); }));
  claim_and_open(launch);
  claim_and_open(meanwhile);
  EXPECT_TRUE(seen.of<TaskHasEnded>(launch.token).empty());
  EXPECT_TRUE(seen.of<LaunchRefused>(meanwhile.token).empty());
  // At most one list more for each of the three collections.
  const auto after = executor->requests();
  EXPECT_LE(after.at("list pods"), before.at("list pods") + 2);
  EXPECT_LE(after.at("list nodes"), before.at("list nodes") + 1);
  lab->kubectl("delete pod -n " + name_space + " --grace-period=1 --wait=false " + pod_of(launch.token));
  EXPECT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
}

TEST_F(LabFaults, WhatHasNotBegunLeavesAClusterThatIsAway) {
  auto with = quick();
  with.leave_after = seconds(3);
  make(with);
  const auto runs = run_one("n1"), waits = run_one("n2");
  claim_and_open(runs);
  lab->run("apiserver-kill");
  ASSERT_TRUE(seen.wait_for<LaunchRefused>(waits.token));
  const auto why = seen.of<LaunchRefused>(waits.token).front();
  EXPECT_TRUE(why.of_executor);
  EXPECT_EQ(why.message, "cluster lab does not answer, and the job had not begun there");
  executor->release(waits.token);
  ASSERT_EQ(lab->start_api_server(), "");
  EXPECT_TRUE(eventually([&] { return cluster_was_said(seen, true); }));
  EXPECT_TRUE(eventually([&] { return phase_of(waits.token).empty(); })) << "what is left of it goes";
  EXPECT_TRUE(seen.of<TaskHasEnded>(runs.token).empty());
  EXPECT_EQ(phase_of(runs.token), "Running");
}

TEST_F(LabFaults, APodOfALostNodeIsGoneOnlyWhenTheNodeIsBack) {
  make(quick());
  const auto launch = run_one("n5");
  cut_off("n5");
  ASSERT_TRUE(seen.wait_for<ContactIsLost>(launch.token));
  executor->stop(launch.token, {.cause = StopCause::cancel, .grace = seconds(1)});
  ASSERT_TRUE(eventually([&] {
    return !lab->kubectl("get pod -n " + name_space + " " + pod_of(launch.token) +
                         " -o jsonpath={.metadata.deletionTimestamp}")
                .empty();
  }));
  EXPECT_FALSE(seen.wait_for<TaskHasEnded>(launch.token, 1, seconds(5)));
  lab->run("node-up n5");
  EXPECT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
}

TEST_F(LabFaults, ATaskOfALostNodeGoesOnWhenItIsBack) {
  make(quick());
  const auto launch = run_one("n6");
  claim_and_open(launch);
  cut_off("n6");
  ASSERT_TRUE(seen.wait_for<ContactIsLost>(launch.token));
  lab->run("node-up n6");
  EXPECT_TRUE(seen.wait_for<ContactIsBack>(launch.token));
  EXPECT_TRUE(seen.of<TaskHasEnded>(launch.token).empty());
  EXPECT_EQ(phase_of(launch.token), "Running");
}

TEST_F(LabFaults, ADeletionByForceProvesNothingWhileTheNodeIsLost) {
  make(quick());
  const auto launch = run_one("n7");
  claim_and_open(launch);
  ASSERT_TRUE(report(launch.token, 0, State::waiting));  // and gets `go`
  cut_off("n7");
  ASSERT_TRUE(seen.wait_for<ContactIsLost>(launch.token));
  lab->kubectl("delete pod -n " + name_space + " --force --grace-period=0 " + pod_of(launch.token));
  ASSERT_TRUE(eventually([&] { return phase_of(launch.token).empty(); }));
  EXPECT_FALSE(seen.wait_for<TaskHasEnded>(launch.token, 1, seconds(22)));
  lab->run("node-up n7");
  EXPECT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
  EXPECT_EQ(seen.of<TaskHasEnded>(launch.token)[0].exit.by, EndedBy::lost);
}

// No node confirms its end, and none has to: it is never let in.
TEST_F(LabFaults, APodThatVanishesWithItsNodeBeforeTheBarrierHasNotStarted) {
  make(quick());
  const auto launch = run_one("n8");
  ASSERT_TRUE(report(launch.token, 0, State::waiting));
  cut_off("n8");
  ASSERT_TRUE(seen.wait_for<ContactIsLost>(launch.token));
  lab->kubectl("delete pod -n " + name_space + " --force --grace-period=0 " + pod_of(launch.token));
  ASSERT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
  EXPECT_EQ(seen.of<TaskHasEnded>(launch.token)[0].exit.by, EndedBy::start_failed);
  executor->open_barrier(launch.token, seen.of<GangIsWaiting>(launch.token).back().claims);
  EXPECT_FALSE(report(launch.token, 0, State::waiting)) << "closed is closed";
}

TEST_F(LabFaults, WhatCannotBePlacedIsGivenUp) {
  auto with = quick();
  with.bind = seconds(2);
  make(with);
  const auto launch = request({"n-that-is-not-there"});
  executor->launch(launch);
  ASSERT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
  const auto exit = seen.of<TaskHasEnded>(launch.token)[0].exit;
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_NE(exit.message.find("did not place"), std::string::npos) << exit.message;
}

// One write to bind it and one at its end; and no request for what the watches show.
TEST_F(LabFaults, ManyPodsAtOnceAreTwoWritesEachAndNoList) {
  const std::size_t many = std::getenv("YM_CAMPAIGN") ? 1000 : 200;
  make(quick());
  ASSERT_TRUE(eventually([&] { return executor->requests()["watch pods"] >= 2; }));
  std::vector<LaunchRequest> launches;
  for (std::size_t i = 0; i < many; ++i)
    executor->launch(launches.emplace_back(request({fmt::format("n{}", 1 + i % 20)})));
  const auto running = "get pods -n " + name_space + " --no-headers --field-selector=status.phase=Running | wc -l";
  ASSERT_TRUE(eventually([&] { return lab->kubectl(running) == std::to_string(many); }));
  for (const auto& launch : launches) EXPECT_TRUE(seen.wait_for<LaunchAccepted>(launch.token));
  for (const auto& launch : launches) executor->stop(launch.token, {.cause = StopCause::cancel, .grace = {}});
  for (const auto& launch : launches) ASSERT_TRUE(seen.wait_for<TaskHasEnded>(launch.token));
  for (const auto& launch : launches) executor->release(launch.token);
  auto requests = executor->requests();
  // A connection may break under load: its requests are repeated, and looked up.
  const auto spent = requests["create pods"] + requests["delete pods"] + requests["get pods"];
  EXPECT_GE(spent, 2 * many);
  EXPECT_LE(spent, 2 * many + many / 20);
  EXPECT_EQ(requests["list pods"], 2U) << "with those of other programs";
  EXPECT_EQ(requests["list nodes"], 1U);
}

TEST_F(LabFaults, AGangThatAQuotaHoldsBackIsMadeWholeLater) {
  make(quick());
  lab->kubectl("create quota two -n " + name_space + " --hard=pods=2");
  const auto launch = request({"n1", "n2", "n3"});
  executor->launch(launch);
  ASSERT_TRUE(seen.wait_for<LaunchAccepted>(launch.token));
  // The quota may be raised, or other pods may go: it is tried again, and no task of the gang runs meanwhile.
  EXPECT_FALSE(seen.wait_for<LaunchRefused>(launch.token, 1, seconds(2)));
  lab->kubectl("patch quota two -n " + name_space + " -p '{\"spec\":{\"hard\":{\"pods\":\"3\"}}}'");
  EXPECT_TRUE(eventually([&] {
    return phase_of(launch.token, 0) + phase_of(launch.token, 1) + phase_of(launch.token, 2) == "RunningRunningRunning";
  }));
}

}  // namespace
}  // namespace ym::kubernetes
