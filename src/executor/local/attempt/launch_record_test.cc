#include "executor/local/attempt/launch_record.h"

#include <gtest/gtest.h>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/record.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

LaunchRecord of_two_groups() {
  LaunchRecord launch{.token = {JobId{1}, 1, 7}, .tasks = 3, .task_env = {{"A=1"}, {"A=1"}, {"A=2"}}, .workdir = "/w"};
  launch.groups = {
      {.tasks = 2, .form = Program::Form::shell, .argv = {"sh", "-c", "x"}, .limits = {1000, 1 << 20}, .port = 20001},
      {.tasks = 1, .argv = {"y"}, .env = {"B=3"}, .limits = {2000, 1 << 21}, .data_limit = 1 << 21, .port = 20002}};
  return launch;
}

Result<LaunchRecord> written(const LaunchRecord& launch) {
  const TestFolder folder;
  const auto done = replace_file(folder.fd.get(), kLaunchFile, encode(launch));
  return done ? read_launch(folder.fd.get()) : Result<LaunchRecord>(std::unexpected(done.error()));
}

TEST(LaunchRecord, SaysWhatEachGroupRuns) {
  const auto read = written(of_two_groups());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->ports(), (std::vector<std::int64_t>{20001, 20002}));
  const LaunchRecord second = read->of_task(1), third = read->of_task(2);
  EXPECT_EQ(second.form, Program::Form::shell);
  EXPECT_EQ(second.argv, (std::vector<std::string>{"sh", "-c", "x"}));
  EXPECT_EQ(second.limits.memory_bytes, 1 << 20);
  EXPECT_EQ(second.port, 20001);
  EXPECT_EQ(third.argv, (std::vector<std::string>{"y"}));
  EXPECT_EQ(third.limits.cpus, 2000);
  EXPECT_EQ(third.data_limit, 1 << 21);
  EXPECT_EQ(third.env, (std::vector<std::string>{"B=3"}));
  EXPECT_EQ(third.task_env.at(2), (std::vector<std::string>{"A=2"}));
}

TEST(LaunchRecord, HasAllTasksInItsGroups) {
  LaunchRecord launch = of_two_groups();
  launch.tasks = 4;
  EXPECT_EQ(written(launch).error().code, ErrorCode::corrupt);
  launch = of_two_groups();
  launch.groups.back().argv.clear();
  EXPECT_EQ(written(launch).error().code, ErrorCode::corrupt);
}

TEST(LaunchRecord, SaysWhichProgramUsesItsPort) {
  LaunchRecord launch = of_two_groups();
  launch.groups.back().torchrun = true;
  const auto read = written(launch);
  EXPECT_FALSE(read->of_task(1).torchrun);
  EXPECT_TRUE(read->of_task(2).torchrun);
  launch = {.token = launch.token, .argv = {"x"}, .task_env = {{}}, .port = 20001, .torchrun = true};
  EXPECT_TRUE(written(launch)->torchrun);
}

TEST(LaunchRecord, OfAnOlderBuildShowsItsLauncherByItsWords) {
  const auto of_older_build = [](std::vector<std::string> argv) {
    Record record{"launch"};
    record.add("token", to_string(Token{JobId{1}, 1, 7}));
    record.add("tasks", 1);
    for (const auto& word : argv) record.add("arg", word);
    record.add("port", 20001);
    const TestFolder folder;
    EXPECT_TRUE(replace_file(folder.fd.get(), kLaunchFile, record.encode()));
    return read_launch(folder.fd.get()).value();
  };
  EXPECT_TRUE(of_older_build({"python3", "-m", "torch.distributed.run", "train.py"}).torchrun);
  EXPECT_FALSE(of_older_build({"python3", "train.py"}).torchrun);
  EXPECT_FALSE(of_older_build({"sh"}).torchrun);
}

TEST(LaunchRecord, KeepsWhereEachTaskIs) {
  LaunchRecord launch = of_two_groups();
  launch.placement = {{0, "n1", {"0", "MIG-5"}}, {1, "n1", {}}, {2, "a node", {"3"}}};
  EXPECT_EQ(written(launch)->placement, launch.placement);
}

TEST(LaunchRecord, OfAnOlderBuildSaysNotWhereItsTasksAre) {
  EXPECT_TRUE(written(of_two_groups())->placement.empty());
  LaunchRecord launch = of_two_groups();
  launch.placement = {{0, "n1", {"0"}}};
  EXPECT_TRUE(written(launch)->placement.empty()) << "of all tasks, or of none";
}

TEST(LaunchRecord, SaysWhatEachTaskWasGiven) {
  LaunchRecord launch = of_two_groups();
  launch.task_env = {{"A=1", "CUDA_VISIBLE_DEVICES=0,MIG-5"}, {"CUDA_VISIBLE_DEVICES="}};
  const auto read = written(launch);
  EXPECT_EQ(read->devices_of(0), (std::vector<std::string>{"0", "MIG-5"}));
  EXPECT_TRUE(read->devices_of(1).empty());
  EXPECT_TRUE(read->devices_of(2).empty());
  EXPECT_TRUE(read->devices_of(9).empty());
}

}  // namespace
}  // namespace ym::local
