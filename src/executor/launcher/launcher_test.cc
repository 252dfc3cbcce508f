#include "executor/launcher/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

struct GangContext {
  JobSpec spec{.name = "train", .run = {Program::Form::argv, {"train.py", "--x", "1"}}, .workdir = "/w", .nodes = 2};
  std::vector<TaskSite> sites{{"127.0.0.1", {"0", "1"}}, {"127.0.0.1", {}}};
  std::optional<std::int32_t> group_index;
  Environment executor_env;
  std::optional<Checkpoint> resumes_from;

  Result<LaunchCommand> make() const {
    return make_launch_command({.token = {JobId{33}, 2, 7},
                                .spec = spec,
                                .job_name = "train-3",
                                .group_index = group_index,
                                .sites = sites,
                                .port = 20123,
                                .base_env = {{"PATH", "/bin"}, {"HOME", "/root"}},
                                .executor_env = executor_env,
                                .resumes_from = resumes_from});
  }
  LaunchCommand command() const { return make().value(); }
};

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

TEST(Launcher, WhoSharesADeviceIsToldHowMuchOfIt) {
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
  setup.spec.checkpoint = {.dir = "/ck", .every = Duration{90'500}, .expect_save = {}};
  const auto env = setup.command().env;
  EXPECT_THAT(env, Contains(Pair("YM_RESUME_FROM", "/ck/7")));
  EXPECT_THAT(env, Contains(Pair("YM_RESUME_STEP", "7")));
  EXPECT_THAT(env, Contains(Pair("YM_CHECKPOINT_DIR", "/ck")));
  EXPECT_THAT(env, Contains(Pair("YM_CHECKPOINT_EVERY", "90.5")));
  setup.spec.checkpoint.every = minutes(15);
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
    EXPECT_EQ(setup.make().error().message, "the placement does not have as many tasks as the job has nodes");
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

struct Torchrun : GangContext {
  Torchrun() { spec.launcher = Launcher::torchrun; }
  std::vector<std::string> argv(Program program) {
    spec.run = std::move(program);
    return command().argv;
  }
};

TEST(Torchrun, IsConfiguredByTheEnvironment) {
  Torchrun setup;
  setup.spec.resources.gpus = 4 * kMilli;
  setup.spec.stop.grace = seconds(90);
  const auto command = setup.command();
  for (const auto& [name, value] : Environment{{"PET_NNODES", "2"},
                                               {"PET_NPROC_PER_NODE", "4"},
                                               {"PET_RDZV_BACKEND", "static"},
                                               {"PET_RDZV_ENDPOINT", "127.0.0.1:20123"},
                                               {"PET_RDZV_ID", to_string(JobId{33}) + ".2"},
                                               {"PET_MASTER_ADDR", "127.0.0.1"},
                                               {"PET_MASTER_PORT", "20123"},
                                               {"PET_MAX_RESTARTS", "0"},
                                               {"PET_MONITOR_INTERVAL", "0.1"},
                                               {"PET_REDIRECTS", "2"},
                                               {"PET_TEE", "2"},
                                               {"TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "90"},
                                               {"MASTER_ADDR", "127.0.0.1"},
                                               {"MASTER_PORT", "20123"},
                                               {"OMP_NUM_THREADS", "1"},
                                               {"GLOO_SOCKET_IFNAME", "lo"}})
    EXPECT_THAT(command.env, Contains(Pair(name, value)));
  EXPECT_THAT(command.task_env[1], Contains(Pair("PET_NODE_RANK", "1")));
  for (const auto& [name, value] : command.env) EXPECT_FALSE(name.starts_with("SLURM_"));
}

TEST(Torchrun, WorkersHaveNoLessThanTheGrace) {
  Torchrun setup;
  for (const auto& [grace, text] : {std::pair{Duration{200}, "1"}, {Duration{1000}, "1"}, {Duration{1001}, "2"}}) {
    setup.spec.stop.grace = grace;
    EXPECT_THAT(setup.command().env, Contains(Pair("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", text)));
  }
}

TEST(Torchrun, StartsOneWorkerWithoutGpus) {
  EXPECT_THAT(Torchrun{}.command().env, Contains(Pair("PET_NPROC_PER_NODE", "1")));
}

TEST(Torchrun, AJobMayOverwriteDefaultsButNoAddress) {
  Torchrun setup;
  setup.spec.env = {{"OMP_NUM_THREADS", "8"}, {"PET_NPROC_PER_NODE", "3"}, {"MASTER_PORT", "1"}};
  const auto env = setup.command().env;
  EXPECT_THAT(env, Contains(Pair("OMP_NUM_THREADS", "8")));
  EXPECT_THAT(env, Contains(Pair("PET_NPROC_PER_NODE", "3")));
  EXPECT_THAT(env, Contains(Pair("MASTER_PORT", "20123")));
}

TEST(Torchrun, UsesTheRealNetworkBetweenMachines) {
  Torchrun setup;
  setup.sites[1].address = "10.0.0.2";
  EXPECT_THAT(setup.command().env, Not(Contains(Key("GLOO_SOCKET_IFNAME"))));
}

TEST(Torchrun, RunsScriptsModulesAndPrograms) {
  using enum Program::Form;
  Torchrun setup;
  EXPECT_THAT(setup.argv({argv, {"train.py", "--x"}}),
              ElementsAre("python3", "-m", "torch.distributed.run", "train.py", "--x"));
  EXPECT_THAT(setup.argv({argv, {"-m", "pkg.train"}}),
              ElementsAre("python3", "-m", "torch.distributed.run", "-m", "pkg.train"));
  EXPECT_THAT(setup.argv({argv, {"python", "train.py"}}),
              ElementsAre("python3", "-m", "torch.distributed.run", "--no_python", "python", "train.py"));
}

TEST(Torchrun, CutsAStringIntoWordsOrGivesItToAShell) {
  using enum Program::Form;
  Torchrun setup;
  setup.spec.env = {{"OUT", "/o"}};
  EXPECT_THAT(setup.argv({shell, {"train.py --out $OUT --job $YM_JOB_NAME"}}),
              ElementsAre("python3", "-m", "torch.distributed.run", "train.py", "--out", "/o", "--job", "train-3"));
  EXPECT_THAT(
      setup.argv({shell, {"cd x && python train.py"}}),
      ElementsAre("python3", "-m", "torch.distributed.run", "--no_python", "/bin/sh", "-c", "cd x && python train.py"));
}

TEST(Torchrun, NeedsAPort) {
  EXPECT_TRUE(needs_port(Launcher::torchrun));
  EXPECT_FALSE(needs_port(Launcher::none));
}

}  // namespace
}  // namespace ym
