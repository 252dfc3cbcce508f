// Limits, as far as this machine can enforce them.
#include <csignal>
#include <fstream>
#include <numeric>

#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::lines_of;
using testing::Session;
using testing::wait_until;

// The first line of the first existing one of these files, in any of the folders.
std::string first_line(const std::vector<std::string>& folders, const std::vector<std::string>& files) {
  for (const auto& folder : folders)
    for (const auto& file : files)
      if (const auto lines = lines_of(folder + "/" + file); !lines.empty()) return lines.front();
  return {};
}

TEST(LocalLimits, TheKernelKnowsTheShareOfProcessors) {
  TestHost host;
  Session session{host};
  const auto kind = session.executor().enforcement().at("cpu limit");
  if (!kind.starts_with("cgroup")) GTEST_SKIP() << kind;
  auto spec = argv_job(host, {"sleep", "1000"});
  spec.resources.cpus = 250;
  session.launch(kToken, spec);
  session.wait_running(kToken);
  const auto groups = host.claim(kToken)->cgroups;
  EXPECT_EQ(first_line(groups, {"cpu.max", "cpu.cfs_quota_us"}), kind == "cgroup v2" ? "25000 100000" : "25000");
  if (kind == "cgroup v1") EXPECT_EQ(first_line(groups, {"cpu.cfs_period_us"}), "100000");
}

TEST(LocalLimits, TheKernelKnowsTheMemory) {
  TestHost host;
  Session session{host};
  const auto kind = session.executor().enforcement().at("memory limit");
  if (!kind.starts_with("cgroup")) GTEST_SKIP() << kind;
  auto spec = argv_job(host, {"sleep", "1000"});
  spec.resources.memory_bytes = 64 << 20;
  session.launch(kToken, spec);
  session.wait_running(kToken);
  EXPECT_EQ(first_line(host.claim(kToken)->cgroups, {"memory.max", "memory.limit_in_bytes"}), "67108864");
}

TEST(LocalLimits, OutOfMemoryIsNamed) {
  TestHost host;
  Session session{host};
  const auto kind = session.executor().enforcement().at("memory limit");
  if (!kind.starts_with("cgroup")) GTEST_SKIP() << "no memory control groups here: " << kind;
  auto spec = argv_job(host, {"sh", "-c", "head -c 400000000 /dev/zero | tail"});
  spec.resources.memory_bytes = 64 << 20;
  session.launch(kToken, spec);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::oom);
  EXPECT_NE(exit.message.find("64MiB"), std::string::npos) << exit.message;
}

TEST(LocalLimits, TooLittleMemoryToBeginWithIsNamed) {
  TestHost host;
  Session session{host};
  const auto kind = session.executor().enforcement().at("memory limit");
  if (!kind.starts_with("cgroup")) GTEST_SKIP() << "no memory control groups here: " << kind;
  auto spec = argv_job(host, {"true"});
  spec.resources.memory_bytes = 4096;
  session.launch(kToken, spec);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_TRUE(exit.permanent) << "trying again cannot heal it";
  EXPECT_NE(exit.message.find("4KiB"), std::string::npos) << exit.message;
}

TEST(LocalLimits, WithoutMemoryControlGroupsTheDataOfEachProcessIsLimited) {
  TestHost host;
  Session session{host};
  const auto kind = session.executor().enforcement().at("memory limit");
  auto spec = argv_job(host, {"sh", "-c", "ulimit -d"});
  spec.resources.memory_bytes = 64 << 20;
  session.launch(kToken, spec);
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(session.log(kToken) == "65536\n", kind.starts_with("rlimit")) << kind << ": " << session.log(kToken);
}

TEST(LocalLimits, NothingIsLeftOfItsControlGroups) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "true");
  session.wait_running(kToken);
  const auto groups = host.claim(kToken)->cgroups;
  session.wait_end(kToken);
  for (const auto& group : groups) EXPECT_FALSE(std::filesystem::exists(group)) << group;
}

TEST(LocalLimits, TheTimeLimitHoldsDuringAStop) {
  TestHost host;
  Session session{host};
  auto spec = argv_job(host, {"sh", "-c", "trap '' TERM; touch ready; while :; do sleep 0.02; done"});
  spec.time_limit = seconds(3);
  spec.stop.grace = Duration{50};
  session.launch(kToken, spec);
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = hours(100)});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_TRUE(exit.forced);
}

}  // namespace
}  // namespace ym::local
