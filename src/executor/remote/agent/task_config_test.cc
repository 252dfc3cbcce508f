#include "executor/remote/agent/task_config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/testing/sentences.h"

namespace ym::remote {
namespace {

Environment environment(const Environment& more = {}) {
  Environment env = more;
  env.merge(Environment{{"YM_TASK_URL", "https://host:8470/api/v1/jobs/7/attempts/1/tasks"},
                        {"YM_LAUNCH_TOKEN", "00000007.1.3"},
                        {"YM_TASK_RANK", "2"},
                        {"YM_TASK_TOKEN", "secret"},
                        {"PATH", "/bin"}});
  return env;
}

TaskConfig config_of(const Environment& more) {
  auto config = read_config(environment(more));
  EXPECT_TRUE(config) << config.error().message;
  return config.value_or(TaskConfig{});
}

TEST(TaskConfig, IsWhatTheEnvironmentSays) {
  const auto config = config_of({{"YM_TASK_GRACE", "90s"}, {"YM_TASK_NODE", "n7"}});
  EXPECT_EQ(config.origin, "https://host:8470");
  EXPECT_EQ(config.target, "/api/v1/jobs/7/attempts/1/tasks/2");
  EXPECT_EQ(config.token, (Token{JobId{7}, 1, 3}));
  EXPECT_EQ(config.bearer.reveal(), "secret");
  EXPECT_EQ(config.grace, seconds(90));
  EXPECT_EQ(config.linger, seconds(60));
  EXPECT_EQ(config.node, "n7");
  EXPECT_EQ(config.temp_folder, "/tmp");
}

TEST(TaskConfig, ItsLogIsWhereItIsKeptIfThatIsOnThisMachine) {
  const auto file = ::testing::TempDir() + "ym_task_config.log";
  std::ofstream(file) << "x";
  EXPECT_EQ(config_of({{"YM_TASK_OUTPUT", file}}).log, file);
  EXPECT_EQ(config_of({{"YM_TASK_OUTPUT", "/proc/self/status"}}).log, "");
  EXPECT_EQ(config_of({}).log, "");
  std::filesystem::remove(file);
}

TEST(TaskConfig, TheRankIsOursOrTheClusters) {
  EXPECT_EQ(config_of({{"SLURM_PROCID", "9"}}).task, 2);
  EXPECT_EQ(config_of({{"YM_TASK_RANK", ""}, {"SLURM_PROCID", "3"}}).task, 3);
  EXPECT_EQ(config_of({{"YM_TASK_RANK", ""}, {"SLURM_PROCID", "3"}, {"YM_TASK_BASE", "10"}}).task, 13);
  EXPECT_EQ(config_of({{"YM_TASK_RANK", ""}, {"JOB_COMPLETION_INDEX", "4"}}).task, 4);
  EXPECT_EQ(config_of({{"SLURMD_NODENAME", "gpu1"}}).node, "gpu1");
}

TEST(TaskConfig, AnErrorNamesTheVariable) {
  for (const auto& [name, value] : {std::pair{"YM_TASK_RANK", ""},
                                    {"YM_TASK_RANK", "-1"},
                                    {"YM_LAUNCH_TOKEN", "x"},
                                    {"YM_TASK_URL", "host/path"},
                                    {"YM_TASK_URL", "http://host"},
                                    {"YM_TASK_GRACE", "soon"}})
    ym::testing::expect_refused(read_config(environment({{name, value}})), ErrorCode::invalid);
}

TEST(TaskConfig, UserCodeSeesNothingOfOurs) {
  const auto config = config_of({{"LD_LIBRARY_PATH", "/cuda"}});
  for (const auto& [name, value] : config.user_env) EXPECT_FALSE(name.starts_with("YM_TASK_")) << name;
  EXPECT_EQ(config.user_env.at("LD_LIBRARY_PATH"), "/cuda");
  EXPECT_EQ(config.user_env.at("PATH"), "/bin");
  EXPECT_FALSE(config.user_env.contains("CUDA_VISIBLE_DEVICES")) << "the cluster may show all of them";
}

TEST(TaskConfig, OfGpusThatTasksShareEachHasItsOwn) {
  EXPECT_EQ(part_of("0,1,2,3", 2, 0), "0,1");
  EXPECT_EQ(part_of("0,1,2,3", 2, 1), "2,3");
  EXPECT_EQ(part_of("GPU-a,GPU-b", 1, 1), "GPU-b");
  EXPECT_EQ(part_of("4,5", 2, 1), "4,5") << "the cluster has given each its own";
  EXPECT_EQ(part_of("0,1,2", 2, 1), "2");
  EXPECT_EQ(part_of("0,1,2", 2, 2), "");
  EXPECT_EQ(part_of("0,1,2", 2, INT32_MAX), "");
  EXPECT_EQ(part_of("", 1, 0), "");
  const auto cut = config_of({{"SLURM_JOB_GPUS", "4,5"}, {"SLURM_LOCALID", "1"}, {"YM_TASK_GPUS_PER_TASK", "1"}});
  EXPECT_EQ(cut.user_env.at("CUDA_VISIBLE_DEVICES"), "5");
}

}  // namespace
}  // namespace ym::remote
