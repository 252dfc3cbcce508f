#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "executor/launcher/launcher.h"

namespace ym {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

TEST(Groups, EachRunsItsOwn) {
  JobSpec spec{.name = "rl", .run = {Program::Form::argv, {"x"}}, .workdir = "/w", .env = {{"A", "1"}}, .nodes = 3};
  spec.groups = {
      {.name = "learners", .nodes = 2, .run = {Program::Form::argv, {"learn.py"}}, .launcher = Launcher::torchrun},
      {.name = "actors", .run = {Program::Form::shell, {"act"}}, .env = {{"A", "2"}}}};
  spec.groups[0].resources.gpus = kMilli;
  const LaunchContext context{.token = {JobId{33}, 2, 7},
                              .spec = spec,
                              .job_name = "rl",
                              .group_index = {},
                              .sites = {{"10.0.0.1", {"0"}}, {"10.0.0.2", {"3"}}, {"10.0.0.3", {}}},
                              .base_env = {{"PATH", "/bin"}}};
  const auto commands = make_group_commands(context, {20123, 0});
  ASSERT_TRUE(commands) << commands.error().message;
  ASSERT_EQ(commands->size(), 2u);
  const LaunchCommand &learners = commands->at(0), &actors = commands->at(1);
  EXPECT_THAT(learners.argv, ElementsAre("python3", "-m", "torch.distributed.run", "learn.py"));
  EXPECT_THAT(learners.env, Contains(Pair("PET_NNODES", "2")));
  EXPECT_THAT(learners.env, Contains(Pair("MASTER_PORT", "20123")));
  EXPECT_THAT(learners.env, Contains(Pair("A", "1")));
  EXPECT_THAT(learners.env, Contains(Pair("YM_NODES", "3")));
  EXPECT_THAT(learners.env, Contains(Pair("YM_GROUP", "learners")));
  EXPECT_THAT(learners.env, Contains(Pair("YM_GROUP_NODES", "2")));
  EXPECT_THAT(actors.argv, ElementsAre("/bin/sh", "-c", "act"));
  EXPECT_THAT(actors.env, Contains(Pair("A", "2")));
  EXPECT_THAT(actors.env, Not(Contains(Key("PET_NNODES"))));
  EXPECT_THAT(actors.env, Contains(Pair("YM_NODE_IPS", "10.0.0.1,10.0.0.2,10.0.0.3")));
  EXPECT_THAT(actors.env, Contains(Pair("YM_GROUPS", "learners=10.0.0.1,10.0.0.2;actors=10.0.0.3")));
  ASSERT_EQ(actors.task_env.size(), 1u);
  EXPECT_THAT(actors.task_env[0], Contains(Pair("YM_NODE_RANK", "2")));
  EXPECT_THAT(actors.task_env[0], Contains(Pair("YM_GROUP_RANK", "0")));
  EXPECT_THAT(learners.task_env[1], Contains(Pair("PET_NODE_RANK", "1")));
  EXPECT_THAT(learners.task_env[1], Contains(Pair("CUDA_VISIBLE_DEVICES", "3")));
}

// The words of a string are made with the variables of the group.
TEST(Groups, AreKnownToTheWordsOfTheProgram) {
  JobSpec spec{.name = "rl", .run = {Program::Form::shell, {"x.py $YM_GROUP $YM_NODES"}}, .workdir = "/w", .nodes = 3};
  spec.groups = {{.name = "a", .nodes = 2, .run = spec.run, .launcher = Launcher::torchrun},
                 {.name = "b", .run = spec.run}};
  const LaunchContext context{
      .token = {JobId{33}, 2, 7}, .spec = spec, .job_name = "rl", .sites = std::vector<TaskSite>(3)};
  const auto commands = make_group_commands(context, {20123, 0});
  ASSERT_TRUE(commands) << commands.error().message;
  EXPECT_THAT(commands->at(0).argv, ElementsAre("python3", "-m", "torch.distributed.run", "x.py", "a", "3"));
}

TEST(Groups, AGangOfGroupsIsWhole) {
  JobSpec spec{.name = "rl", .run = {Program::Form::argv, {"x"}}, .workdir = "/w", .nodes = 2};
  spec.groups = {{.name = "a", .run = spec.run}, {.name = "b", .run = spec.run}};
  const LaunchContext context{.token = {JobId{33}, 2, 7}, .spec = spec, .job_name = "rl", .sites = {{"10.0.0.1", {}}}};
  EXPECT_EQ(make_group_commands(context, {0, 0}).error().code, ErrorCode::invalid);
}

}  // namespace
}  // namespace ym
