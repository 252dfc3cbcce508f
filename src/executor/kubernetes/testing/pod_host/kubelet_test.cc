// What a real kubelet does with this server's pods, beyond the common promises of executors.
#include <gtest/gtest.h>

#include "executor/conformance/session.h"
#include "executor/kubernetes/pods/names.h"
#include "executor/kubernetes/testing/pod_host/pod_host.h"

namespace ym::kubernetes {
namespace {

using ym::testing::Session;

constexpr Token kToken{JobId{1}, 1, 7};

class OnARealKubelet : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      host = std::make_unique<testing::PodHost>();
    } catch (const ym::testing::HostIsMissing& missing) {
      GTEST_SKIP() << missing.what();
    }
  }
  JobSpec running(const std::string& line) {
    JobSpec spec{.name = "train", .run = host->shell(line), .workdir = "/tmp"};
    spec.stop.grace = seconds(10);
    return spec;
  }
  std::string pod(const std::string& words) {
    return host->lab().kubectl(words + " -n " + host->name_space() + " " + pod_name({kToken, 0}));
  }
  std::unique_ptr<testing::PodHost> host;
};

// Not even a libc: the agent brings what it needs.
TEST_F(OnARealKubelet, AnImageNeedsNothingOfOurs) {
  host->options.pod.volumes.clear();
  host->options.pod.agent_env.clear();
  Session session{*host};
  session.launch(kToken, running("ls /usr/bin/python3 2> /dev/null; echo alone; exit 3"));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 3);
  EXPECT_EQ(session.log(kToken), "alone\n");
}

TEST_F(OnARealKubelet, ATaskThatNamesNoFolderRunsInThatOfTheImage) {
  Session session{*host};
  auto spec = running("pwd");
  spec.workdir = "/no/such/folder/of/who/submits";
  spec.workdir_left_out = true;
  session.launch(kToken, std::move(spec));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(session.log(kToken), "/\n");
}

TEST_F(OnARealKubelet, WhatIsReleasedIsTakenAwayAndItsLogKept) {
  Session session{*host};
  session.launch(kToken, running("for i in $(seq 5000); do echo line $i; done"));
  session.wait_end(kToken);
  session.executor().release(kToken);
  ASSERT_TRUE(testing::eventually([&] { return pod("get pod --ignore-not-found").empty(); }));
  const auto log = session.log(kToken);
  EXPECT_TRUE(log.starts_with("line 1\nline 2\n"));
  EXPECT_TRUE(log.ends_with("line 4999\nline 5000\n")) << log.size();
}

// A drain, an eviction, a person: user code is asked to stop, and it counts as a failure of the infrastructure.
TEST_F(OnARealKubelet, APodThatOthersDeleteHasItsGrace) {
  Session session{*host};
  session.launch(kToken, running("trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.1; done"));
  session.wait_running(kToken);
  // Its kubelet says for a moment that there is none.
  ym::testing::wait_until("up", [&] {
    const auto log = session.executor().read_log({.attempt = kToken.key()});
    return log && log->data == "up\n";
  });
  pod("delete --wait=false pod");
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::lost);
  EXPECT_NE(exit.message.find("the cluster ended it"), std::string::npos) << exit.message;
  session.executor().release(kToken);
  ASSERT_TRUE(testing::eventually([&] { return pod("get pod --ignore-not-found").empty(); }));
  const auto log = session.log(kToken);
  EXPECT_TRUE(log.starts_with("up\n") && log.ends_with("saved\n")) << log << "with what it wrote in its grace";
}

TEST_F(OnARealKubelet, AnImageThatIsNotThereIsGivenUpWithTheReason) {
  host->options.cannot_start = seconds(3);
  Session session{*host};
  auto spec = running("true");
  spec.image = "127.0.0.1:1/not/there:1";
  session.launch(kToken, std::move(spec));
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_NE(exit.message.find("127.0.0.1:1/not/there:1"), std::string::npos) << exit.message;
}

// `placement: direct`: no scheduler has checked the node, and its kubelet alone decides whether there is room.
TEST_F(OnARealKubelet, APodMayBeGivenToItsNodeDirectly) {
  host->options.pod.node_choice = NodeChoice::direct;
  Session session{*host};
  session.launch(kToken, running("echo direct; exit 3"));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 3);
  EXPECT_EQ(session.log(kToken), "direct\n");
  EXPECT_EQ(host->lab().kubectl("get events -o name --field-selector reason=Scheduled -n " + host->name_space()), "")
      << "no scheduler bound it";
}

TEST_F(OnARealKubelet, AFullNodeRefusesAPodThatIsGivenToItDirectly) {
  host->options.pod.node_choice = NodeChoice::direct;
  Session session{*host};
  auto spec = running("echo never");
  spec.resources.cpus = 100'000 * kMilli;
  session.launch(kToken, std::move(spec));
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_FALSE(exit.permanent) << "there may be room the next time";
  EXPECT_NE(exit.message.find("OutOfcpu"), std::string::npos) << exit.message;
}

TEST_F(OnARealKubelet, ATaskThatTakesMoreMemoryThanAskedForIsKilledAndItIsSaid) {
  Session session{*host};
  auto spec = running("exec python3 -c 'x = bytearray(1 << 30); print(len(x))'");
  spec.resources.memory_bytes = std::int64_t{256} << 20;
  session.launch(kToken, std::move(spec));
  const auto exit = session.wait_end(kToken);
  EXPECT_TRUE(exit.by == EndedBy::oom || exit.exit_code == 1) << exit.message << " " << session.log(kToken);
}

}  // namespace
}  // namespace ym::kubernetes
