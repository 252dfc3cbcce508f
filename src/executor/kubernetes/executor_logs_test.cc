// Nodes with logs that cannot be read: the API server does not reach them, although they report to it.
#include "executor/kubernetes/testing/executor.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;
using testing::ExecutorTest;

TEST_F(ExecutorTest, WhatIsToStartDoesNotWaitForLogs) {
  put_finished(1, 40, "n1");
  start();
  ASSERT_TRUE(eventually([&] { return api->count("LOG") > 0; }));
  executor->launch(launch_of(100, {"n2"}));
  EXPECT_TRUE(eventually([&] { return api->count("POST") == 1; })) << "and no log was read to its end";
  EXPECT_EQ(api->count("DELETE"), 0U);
  api->answer_logs();
  EXPECT_TRUE(eventually([&] { return api->count("DELETE") == 40; }));
  EXPECT_EQ(api->count("LOG"), 40U);
}

TEST_F(ExecutorTest, PodsGoWhenTheirLogsAreNotReadInTime) {
  options.log_wait = seconds(1);
  put_finished(1, 40, "n1");
  start();
  EXPECT_TRUE(eventually([&] { return api->count("DELETE") == 40; })) << "and no log was read to its end";
}

// The agent of a stopped task does not end.
TEST_F(ExecutorTest, KillsDoNotWaitForLogsOfPodsThatHaveEnded) {
  options.kill_log_wait = {};
  const auto key = put_live(100);
  put_finished(1, 40, "n1");
  start();
  ASSERT_TRUE(eventually([&] { return api->count("LOG") == static_cast<std::size_t>(options.log_readers); }));
  executor->stop(key.token, {});
  clock.advance(minutes(1));
  EXPECT_TRUE(eventually([&] { return api->count("DELETE") == 1; })) << "and no log was read to its end";
  EXPECT_EQ(api->asked("DELETE"), std::vector{pod_name(key)});
}

TEST_F(ExecutorTest, ALogThatWasReadWholeIsNotReadAgainBeforeThePodGoes) {
  options.log_readers = 1;
  const auto key = put_live(100);
  api->answer_logs();
  start();
  ASSERT_TRUE(eventually([&] { return !seen.of<NodesAreSeen>({}).empty(); }));
  ASSERT_TRUE(eventually([&] { return !seen.of<LaunchAccepted>(key.token).empty(); }));
  put(key, "n2", "Failed", "Evicted");
  api->end_watches();
  ASSERT_TRUE(eventually([&] { return api->count("LOG") == 1; }));
  // It is finished when the next one is read.
  put_finished(1, 1, "n1");
  api->end_watches();
  ASSERT_TRUE(eventually([&] { return api->count("LOG") == 2; }));
  executor->release(key.token);
  EXPECT_TRUE(eventually([&] { return api->asked("DELETE").size() >= 2; }));
  EXPECT_EQ(api->asked("LOG"), (std::vector{pod_name(key), pod_name({{JobId{1}, 1, 7}, 0})}));
}

}  // namespace
}  // namespace ym::kubernetes
