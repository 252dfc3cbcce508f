#include "executor/local/host_capabilities.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

TEST(HostCapabilities, TheUnitIsTheInnermostOne) {
  EXPECT_EQ(unit_of("0::/system.slice/yardmaster.service\n"), "yardmaster.service");
  EXPECT_EQ(unit_of("0::/system.slice/yardmaster.service/server\n"), "yardmaster.service");
  EXPECT_EQ(unit_of("0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r7.scope\n"), "run-r7.scope");
  EXPECT_EQ(unit_of("9:name=systemd:/system.slice/cron.service\n4:memory:/a.service/x\n"), "cron.service");
  EXPECT_EQ(unit_of("4:memory:/process_api/63a6\n0::/\n"), "");
}

TEST(HostCapabilities, JobsEndWithAServiceThatDoesNotSayOtherwise) {
  EXPECT_EQ(why_jobs_end_with("yardmaster.service", ""),
            "the server runs in the unit yardmaster.service, and systemd ends all of a unit's processes with it unless "
            "the unit has KillMode=process (and, so that this can be known here, Environment=YM_KILL_MODE=process; see "
            "deploy/yardmaster.service)");
  EXPECT_EQ(why_jobs_end_with("yardmaster.service", "process"), "");
  EXPECT_EQ(why_jobs_end_with("run-r7.scope", ""), "");
  EXPECT_EQ(why_jobs_end_with("", ""), "");
}

TEST(HostCapabilities, EverythingIsSaidInWords) {
  const auto nothing = describe_enforcement({});
  EXPECT_EQ(nothing.at("cpu limit"), "not enforced: no control group with a cpu controller is writable here");
  EXPECT_EQ(nothing.at("memory limit"),
            "rlimit: each process's data is limited, not their sum (no control group with a memory controller is "
            "writable here)");
  EXPECT_EQ(nothing.at("end of all processes"), "process tree");
  EXPECT_EQ(nothing.at("gpu"), "advisory: CUDA_VISIBLE_DEVICES, which a job can overwrite");
  EXPECT_EQ(nothing.at("user"), "jobs run as the server's own user");
  const auto all = describe_enforcement({.v2 = "/a", .v2_cpu = true, .v2_memory = true});
  EXPECT_EQ(all.at("cpu limit"), "cgroup v2");
  EXPECT_EQ(all.at("memory limit"), "cgroup v2");
  EXPECT_EQ(all.at("end of all processes"), "control group and process tree");
}

}  // namespace
}  // namespace ym::local
