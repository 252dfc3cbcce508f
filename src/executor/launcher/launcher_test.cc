#include "executor/launcher/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/launcher/testing/gang.h"

namespace ym {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::GangContext;
using ::testing::IsSupersetOf;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

TEST(Launcher, AnArgumentVectorIsTakenAsItIs) {
  EXPECT_THAT(GangContext{}.command().argv, ElementsAre("train.py", "--x", "1"));
}

TEST(Launcher, AStringIsOneArgumentOfAShell) {
  GangContext setup;
  setup.spec.run = {Program::Form::shell, {"a; $(b) `c`"}};
  EXPECT_THAT(setup.command().argv, ElementsAre("/bin/sh", "-c", "a; $(b) `c`"));
}

TEST(Launcher, TellsTheJobWhatItIs) {
  GangContext setup;
  setup.spec.resources.gpus = 2 * kMilli;
  const auto command = setup.command();
  EXPECT_THAT(command.env, Contains(Pair("YM_JOB_ID", to_string(JobId{33}))));
  EXPECT_THAT(command.env, Contains(Pair("YM_JOB_NAME", "train-3")));
  EXPECT_THAT(command.env, Contains(Pair("YM_ATTEMPT", "2")));
  EXPECT_THAT(command.env, Contains(Pair("YM_NODES", "2")));
  EXPECT_THAT(command.env, Contains(Pair("YM_NODE_IPS", "127.0.0.1,127.0.0.1")));
  EXPECT_THAT(command.env, Contains(Pair("YM_GPUS_PER_NODE", "2")));
  EXPECT_THAT(command.env, Contains(Pair("YM_LAUNCH_TOKEN", to_string(Token{JobId{33}, 2, 7}))));
  EXPECT_THAT(command.env, Not(Contains(Key("YM_ARRAY_INDEX"))));
  EXPECT_THAT(command.env, Not(Contains(Key("PET_NNODES"))));
  EXPECT_THAT(command.task_env[0], Contains(Pair("YM_NODE_RANK", "0")));
  EXPECT_THAT(command.task_env[1], Contains(Pair("YM_NODE_RANK", "1")));
}

TEST(Launcher, ATaskThatSharesADeviceIsToldHowMuchOfIt) {
  GangContext setup;
  setup.spec.resources = {.gpus = 250, .gpu_memory_bytes = 8 * kGiB};
  const auto env = setup.command().env;
  EXPECT_THAT(env, Contains(Pair("YM_GPUS_PER_NODE", "1")));
  EXPECT_THAT(env, Contains(Pair("YM_GPU_SHARE", "0.25")));
  EXPECT_THAT(env, Contains(Pair("YM_GPU_MEMORY", "8589934592")));
  EXPECT_THAT(env, Contains(Pair("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25")));
  EXPECT_THAT(env, Contains(Pair("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=8192M")));
  setup.spec.resources.gpu_memory_bytes = 1;
  EXPECT_THAT(setup.command().env, Contains(Pair("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=1M"))) << "rounded up";
  setup.spec.resources = {.gpus = 284, .profile = "1g.10gb", .slices = 2};
  EXPECT_THAT(setup.command().env, Contains(Pair("YM_GPUS_PER_NODE", "2")));
  EXPECT_FALSE(setup.command().env.contains("YM_GPU_SHARE"));
}

TEST(Launcher, AMemberOfAnArrayKnowsItsIndex) {
  GangContext setup;
  setup.group_index = 3;
  EXPECT_THAT(setup.command().env, Contains(Pair("YM_ARRAY_INDEX", "3")));
}

TEST(Launcher, TellsTheJobWhatItResumesFromAndWhereItSaves) {
  GangContext setup;
  const auto fresh = setup.command().env;
  for (const char* name : {"YM_RESUME_FROM", "YM_RESUME_STEP", "YM_CHECKPOINT_DIR", "YM_CHECKPOINT_EVERY"})
    EXPECT_THAT(fresh, Not(Contains(Key(name))));
  setup.resumes_from = Checkpoint{.uri = "/ck/7", .step = 7};
  setup.spec.checkpoint = CheckpointRules{.dir = "/ck", .every = Duration{90'500}, .expect_save = {}};
  const auto env = setup.command().env;
  EXPECT_THAT(env, Contains(Pair("YM_RESUME_FROM", "/ck/7")));
  EXPECT_THAT(env, Contains(Pair("YM_RESUME_STEP", "7")));
  EXPECT_THAT(env, Contains(Pair("YM_CHECKPOINT_DIR", "/ck")));
  EXPECT_THAT(env, Contains(Pair("YM_CHECKPOINT_EVERY", "90.5")));
  setup.spec.checkpoint.edit().every = minutes(15);
  EXPECT_THAT(setup.command().env, Contains(Pair("YM_CHECKPOINT_EVERY", "900")));
}

TEST(Launcher, WhatOnlyTheExecutorKnowsGoesOverTheJobsOwn) {
  GangContext setup;
  setup.executor_env = {{"YM_TOKEN_FILE", "/a/token"}};
  setup.sites[1].executor_env = {{"YM_NOTICE_FILE", "/a/1/notice"}};
  setup.spec.env = {{"YM_TOKEN_FILE", "/mine"}, {"YM_NOTICE_FILE", "/mine"}};
  const auto command = setup.command();
  EXPECT_THAT(command.env, Contains(Pair("YM_TOKEN_FILE", "/a/token")));
  EXPECT_THAT(command.task_env[1], Contains(Pair("YM_NOTICE_FILE", "/a/1/notice")));
  EXPECT_THAT(command.task_env[0], Not(Contains(Key("YM_NOTICE_FILE"))));
}

TEST(Launcher, AProgramsWordsMayNameWhatItResumesFrom) {
  GangContext setup;
  setup.spec.launcher = Launcher::torchrun;
  setup.spec.run = {Program::Form::shell, {"train.py --resume=$YM_RESUME_FROM"}};
  setup.resumes_from = Checkpoint{.uri = "/ck/7", .step = 7};
  EXPECT_EQ(setup.command().argv.back(), "--resume=/ck/7");
}

TEST(Launcher, AnElasticJobIsToldTheSizeItHas) {
  GangContext setup;
  setup.spec.nodes = 4;
  setup.spec.min_nodes = 2;
  setup.spec.launcher = Launcher::torchrun;
  EXPECT_THAT(setup.command().env, Contains(Pair("YM_NODES", "2")));
  EXPECT_THAT(setup.command().env, Contains(Pair("PET_NNODES", "2")));
  setup.sites.resize(4, {"127.0.0.1", {}});
  EXPECT_THAT(setup.command().env, Contains(Pair("YM_NODES", "4")));
  for (const std::size_t too_few_or_many : {1, 5}) {
    setup.sites.resize(too_few_or_many, {"127.0.0.1", {}});
    ym::testing::expect_refused(setup.make(), ErrorCode::invalid);
  }
}

TEST(Launcher, ATaskSeesItsOwnDevicesOnly) {
  const auto command = GangContext{}.command();
  EXPECT_THAT(command.task_env[0], Contains(Pair("CUDA_VISIBLE_DEVICES", "0,1")));
  EXPECT_THAT(command.task_env[1], Contains(Pair("CUDA_VISIBLE_DEVICES", "")));
}

TEST(Launcher, TheJobsEnvironmentGoesOverTheInheritedOneAndUnderOurs) {
  GangContext setup;
  setup.spec.env = {{"HOME", "/mine"}, {"YM_ATTEMPT", "99"}, {"LD_PRELOAD", "/x.so"}};
  const auto command = setup.command();
  EXPECT_THAT(command.env, Contains(Pair("PATH", "/bin")));
  EXPECT_THAT(command.env, Contains(Pair("HOME", "/mine")));
  EXPECT_THAT(command.env, Contains(Pair("YM_ATTEMPT", "2")));
  EXPECT_THAT(command.env, Contains(Pair("LD_PRELOAD", "/x.so")));
}

TEST(Launcher, RefusesWhatCannotBeLaunched) {
  GangContext no_program;
  no_program.spec.run.words.clear();
  EXPECT_EQ(no_program.make().error().code, ErrorCode::invalid);
  GangContext too_few_sites;
  too_few_sites.sites.pop_back();
  EXPECT_EQ(too_few_sites.make().error().code, ErrorCode::invalid);
}
TEST(Launcher, TellsAProgramThatMeetsByItselfWhere) {
  GangContext setup;
  EXPECT_THAT(setup.command().env, IsSupersetOf({Pair("MASTER_ADDR", "127.0.0.1"), Pair("MASTER_PORT", "20123"),
                                                 Pair("PET_MASTER_PORT", "20123")}));
  EXPECT_THAT(setup.command().env, Not(Contains(Key("PET_MASTER_ADDR"))));
  setup.spec.env = {{"MASTER_PORT", "1"}, {"PET_MASTER_PORT", "2"}};
  EXPECT_THAT(setup.command().env, IsSupersetOf({Pair("MASTER_PORT", "1"), Pair("PET_MASTER_PORT", "2")}));
}

TEST(Launcher, GivesAPortToProgramsThatMayMeet) {
  JobSpec spec{.run = {.words = {"python", "train.py"}}};
  EXPECT_FALSE(may_use_port(spec));
  spec.resources.gpus = 2 * kMilli;
  EXPECT_TRUE(may_use_port(spec));
  spec = {.run = {.words = {"torchrun", "train.py"}}};
  EXPECT_TRUE(may_use_port(spec));
}

}  // namespace
}  // namespace ym
