#include "executor/launcher/torchrun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "executor/launcher/testing/gang.h"

namespace ym {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::GangContext;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

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
