#include "executor/local/host_capabilities.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym::local {
namespace {

using ym::testing::expect_sentence;

TEST(HostCapabilities, TheUnitIsTheInnermostOne) {
  EXPECT_EQ(unit_of("0::/system.slice/yardmaster.service\n"), "yardmaster.service");
  EXPECT_EQ(unit_of("0::/system.slice/yardmaster.service/server\n"), "yardmaster.service");
  EXPECT_EQ(unit_of("0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r7.scope\n"), "run-r7.scope");
  EXPECT_EQ(unit_of("9:name=systemd:/system.slice/cron.service\n4:memory:/a.service/x\n"), "cron.service");
  EXPECT_EQ(unit_of("4:memory:/process_api/63a6\n0::/\n"), "");
}

TEST(HostCapabilities, JobsEndWithAServiceThatDoesNotSayOtherwise) {
  expect_sentence(why_jobs_end_with("yardmaster.service", ""));
  EXPECT_EQ(why_jobs_end_with("yardmaster.service", "process"), "");
  EXPECT_EQ(why_jobs_end_with("run-r7.scope", ""), "");
  EXPECT_EQ(why_jobs_end_with("", ""), "");
}

TEST(HostCapabilities, EverythingIsSaidInWords) {
  const auto nothing = describe_enforcement({});
  EXPECT_EQ(nothing.at("end of all processes"), "process tree");
  for (const char* what : {"cpu limit", "memory limit", "gpu", "user"}) expect_sentence(nothing.at(what));
  const auto all = describe_enforcement({.v2 = "/a", .v2_cpu = true, .v2_memory = true});
  EXPECT_EQ(all.at("cpu limit"), "cgroup v2");
  EXPECT_EQ(all.at("memory limit"), "cgroup v2");
  EXPECT_EQ(all.at("end of all processes"), "control group and process tree");
}

}  // namespace
}  // namespace ym::local
