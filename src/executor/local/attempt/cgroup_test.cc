#include "executor/local/attempt/cgroup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

constexpr const char* kHybrid =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

TEST(Cgroup, OurOwnGroupInEachHierarchy) {
  const char* cgroup = "4:memory:/docker/abc/sub\n1:cpu,cpuacct:/\n0::/user.slice/s\n";
  EXPECT_EQ(own_cgroup(kHybrid, cgroup, "cpu"), "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(own_cgroup(kHybrid, cgroup, "memory"), "/sys/fs/cgroup/memory/sub");
  EXPECT_EQ(own_cgroup(kHybrid, cgroup, ""), "/sys/fs/cgroup/unified/user.slice/s");
}

TEST(Cgroup, WhatIsNotMountedIsNotUsed) {
  EXPECT_EQ(own_cgroup(kHybrid, "4:memory:/a\n", "pids"), "");
  EXPECT_EQ(own_cgroup("", "0::/a\n", ""), "");
}

TEST(Cgroup, BesideAServerInASubgroupOfItsService) {
  EXPECT_EQ(delegated_group("/s/system.slice/ym.service/server"), "/s/system.slice/ym.service");
  EXPECT_EQ(delegated_group("/s/system.slice/ym.service"), "/s/system.slice/ym.service");
  EXPECT_EQ(delegated_group("/s/user.slice/server"), "/s/user.slice/server") << "not a unit's own";
  EXPECT_EQ(delegated_group(""), "");
}

TEST(Cgroup, AHierarchyOfTwoControllersHasOneGroup) {
  const CgroupPlan plan{.v2 = "/u", .v1_cpu = "/c", .v1_memory = "/c"};
  EXPECT_EQ(TaskCgroup::folders_of(plan, {.cpus = 1, .memory_bytes = 1}, "x"),
            (std::vector<std::string>{"/c/x", "/u/x"}));
}

TEST(Cgroup, OnlyWhatLimitsOrTracksIsMade) {
  using Folders = std::vector<std::string>;
  const CgroupPlan hybrid{.v2 = "/u", .v1_cpu = "/c", .v1_memory = "/m"};
  EXPECT_EQ(TaskCgroup::folders_of(hybrid, {}, "x"), Folders{"/u/x"});
  EXPECT_EQ(TaskCgroup::folders_of(hybrid, {.cpus = 1}, "x"), (Folders{"/c/x", "/u/x"}));
  EXPECT_EQ(TaskCgroup::folders_of(hybrid, {.memory_bytes = 1}, "x"), (Folders{"/m/x", "/u/x"}));
  const CgroupPlan first{.v1_cpu = "/c", .v1_memory = "/m"};
  EXPECT_EQ(TaskCgroup::folders_of(first, {}, "x"), Folders{"/c/x"}) << "one to find them by";
  EXPECT_EQ(TaskCgroup::folders_of(first, {.memory_bytes = 1}, "x"), Folders{"/m/x"});
  EXPECT_EQ(TaskCgroup::folders_of({.v1_memory = "/m"}, {}, "x"), Folders{"/m/x"});
  EXPECT_EQ(TaskCgroup::folders_of({}, {.cpus = 1, .memory_bytes = 1}, "x"), Folders{});
}

// A kill because a group above or the machine had no memory left counts in the process's own group too.
TEST(Cgroup, KnowsItsOwnLimitFromAnothersWantOfMemory) {
  const TestFolder folder;
  const TaskCgroup group{std::vector<std::string>{folder.path.string()}};
  const auto reached = [&](const char* file, const std::string& text) {
    std::ofstream(folder.path / file) << text;
    const bool is = group.has_reached_memory_limit();
    std::filesystem::remove(folder.path / file);
    return is;
  };
  EXPECT_FALSE(group.has_reached_memory_limit());
  EXPECT_FALSE(reached("memory.events", "low 0\nhigh 0\nmax 3\noom 0\noom_kill 1\n"));
  EXPECT_TRUE(reached("memory.events", "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n"));
  EXPECT_FALSE(reached("memory.failcnt", "0\n"));
  EXPECT_TRUE(reached("memory.failcnt", "12\n"));
  std::ofstream(folder.path / "memory.limit_in_bytes") << "4096\n";
  EXPECT_FALSE(reached("memory.max_usage_in_bytes", "0\n"));
  EXPECT_TRUE(reached("memory.max_usage_in_bytes", "4096\n"));
}

TEST(Cgroup, WithoutGroupsNothingIsDone) {
  TaskCgroup none;
  EXPECT_TRUE(none.create({}, {.cpus = 1000, .memory_bytes = 1}));
  EXPECT_EQ(none.enter(), 0);
  none.kill();
  EXPECT_TRUE(none.members()->empty());
  EXPECT_EQ(none.oom_kills(), 0);
}

}  // namespace
}  // namespace ym::local
