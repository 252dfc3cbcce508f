// A real gang of torchrun agents, if PyTorch is installed.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::lines_of;
using testing::Session;
using testing::wait_until;

constexpr const char* kScript = R"(import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = int(os.environ["RANK"])
model = DistributedDataParallel(torch.nn.Linear(1, 1))
model(torch.full((1, 1), float(rank))).sum().backward()
gradient = model.module.weight.grad.item()
with open("ledger", "a") as ledger:
    ledger.write(f"{rank} {os.environ['YM_NODE_RANK']} {dist.get_world_size()} {gradient}\n")
)";

// PATH of the job: that of this process, or one with the system's Python.
std::optional<std::string> path_with_torch() {
  const char* ours = std::getenv("PATH");
  for (const auto& path : {std::string(ours ? ours : ""), std::string("/usr/bin:/bin")}) {
    const auto test = "cd / && PATH=" + path + " python3 -c 'import torch.distributed.run' 2>/dev/null";
    if (std::system(test.c_str()) == 0) return path;
  }
  return std::nullopt;
}

// Runs if PyTorch is installed. The scripts write what they did into a ledger.
class LocalTorchrun : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = path_with_torch();
    if (!path_) GTEST_SKIP() << "neither python3 nor /usr/bin/python3 has PyTorch here";
  }

  // A torchrun job with this train.py on this number of nodes.
  JobSpec job_of(const char* script, std::int32_t nodes) {
    std::ofstream(host_.scratch() / "train.py") << script;
    JobSpec spec{.name = "train", .run = {Program::Form::argv, {"train.py"}}, .workdir = host_.scratch()};
    spec.nodes = nodes;
    spec.env = {{"PATH", *path_}};
    spec.launcher = Launcher::torchrun;
    return spec;
  }

  bool is_there(const char* file) { return std::filesystem::exists(host_.scratch() / file); }

  std::vector<std::string> ledger() {
    auto lines = lines_of(host_.scratch() / "ledger");
    std::ranges::sort(lines);
    return lines;
  }

  std::optional<std::string> path_;
  TestHost host_;
  Session session_{host_};
  const Token token_{JobId{1}, 1, 7};
};

TEST_F(LocalTorchrun, TrainsOnTwoNodes) {
  JobSpec spec = job_of(kScript, 2);
  spec.run = {Program::Form::shell, {"train.py --lr 0.1"}};
  session_.launch(token_, spec);
  for (const auto& exit : session_.wait_ended(token_, 2)) EXPECT_EQ(exit.exit_code, 0) << session_.log(token_);
  // Ranks follow the tasks, and the gradients of both were averaged.
  EXPECT_EQ(ledger(), (std::vector<std::string>{"0 0 2 0.5", "1 1 2 0.5"}));
}

// Each group meets at its own port.
TEST_F(LocalTorchrun, TrainsInTwoGroups) {
  JobSpec spec = job_of(kScript, 4);
  spec.launcher = Launcher::none;
  for (const char* name : {"teachers", "pupils"})
    spec.groups.push_back({.name = name, .nodes = 2, .run = spec.run, .launcher = Launcher::torchrun});
  session_.launch(token_, spec);
  for (const auto& exit : session_.wait_ended(token_, 4)) EXPECT_EQ(exit.exit_code, 0) << session_.log(token_);
  EXPECT_EQ(ledger(), (std::vector<std::string>{"0 0 2 0.5", "0 2 2 0.5", "1 1 2 0.5", "1 3 2 0.5"}));
}

constexpr const char* kLosesAPeer = R"(import os, signal, time
import torch
import torch.distributed as dist
dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 1:
    os.kill(os.getpid(), signal.SIGKILL)
dist.all_reduce(torch.zeros(1))
time.sleep(60)
)";

// Both agents exit with 1. Only their output tells which worker was killed and which one lost its peer.
TEST_F(LocalTorchrun, AnAgentNamesTheWorkerThatWasKilled) {
  JobSpec spec = job_of(kLosesAPeer, 2);
  session_.launch(token_, spec);
  const auto exits = session_.wait_ended(token_, 2);
  EXPECT_EQ(exits[1].exit_code, 1) << exits[1].message;
  ASSERT_TRUE(exits[1].worker) << session_.log(token_, 1);
  EXPECT_EQ(exits[1].worker->rank, 1);
  EXPECT_EQ(exits[1].worker->signal, SIGKILL);
  EXPECT_GT(exits[1].worker->at.ms, 0);
  // It saw the connection close, and failed by itself; or it got a stop before that.
  if (exits[0].worker) EXPECT_EQ(exits[0].worker->rank, 0);
}

constexpr const char* kSaver = R"(import os, signal, sys, time
stop = []
signal.signal(signal.SIGTERM, lambda number, frame: stop.append(number))
open("ready." + os.environ["RANK"], "w").close()
while not stop:
    time.sleep(0.02)
time.sleep(1)
with open("ledger", "a") as ledger:
    ledger.write(f"rank {os.environ['RANK']} saved\n")
)";

// The agent forwards the signal, and exits with 1 even if its workers succeed.
TEST_F(LocalTorchrun, WorkersSaveInTheGraceAndTheirAgentEndsWithOne) {
  JobSpec spec = job_of(kSaver, 1);
  spec.env["PET_NPROC_PER_NODE"] = "2";
  session_.launch(token_, spec);
  wait_until("ready", [&] { return (is_there("ready.0") && is_there("ready.1")) || session_.seen(token_).size() > 3; });
  session_.executor().stop(token_, {.cause = StopCause::preemption, .grace = seconds(60)});
  const auto exit = session_.wait_end(token_);
  EXPECT_EQ(ledger(), (std::vector<std::string>{"rank 0 saved", "rank 1 saved"})) << session_.log(token_);
  EXPECT_EQ(exit.by, EndedBy::preempted) << exit.message;
  EXPECT_EQ(exit.exit_code, 1) << exit.message;
  EXPECT_FALSE(exit.forced);
}

constexpr const char* kGangSaver = R"(import os, signal
import torch
import torch.distributed as dist
told = torch.zeros(1)
signal.signal(signal.SIGTERM, lambda number, frame: told.fill_(1))
dist.init_process_group("gloo")
rank, step = dist.get_rank(), 0
while True:
    stop = told.clone()
    dist.all_reduce(stop)
    step += 1
    if rank == 0 and step == 1:
        open("ready", "w").close()
    if stop.item() > 0:
        break
with open("ledger", "a") as ledger:
    ledger.write(f"rank {rank} saved\n")
dist.barrier()
)";

// Each agent gets the signal and forwards it; the ranks agree on a step and save it.
TEST_F(LocalTorchrun, AGangOfTwoNodesSavesWhenItHasToMakeRoom) {
  JobSpec spec = job_of(kGangSaver, 2);
  session_.launch(token_, spec);
  wait_until("ready", [&] { return is_there("ready") || testing::count<TaskHasEnded>(session_.seen(token_)) > 0; });
  session_.executor().stop(token_, {.cause = StopCause::preemption, .grace = seconds(60)});
  for (const auto& exit : session_.wait_ended(token_, 2)) {
    EXPECT_EQ(exit.by, EndedBy::preempted) << exit.message << session_.log(token_);
    EXPECT_FALSE(exit.forced) << exit.message;
  }
  EXPECT_EQ(ledger(), (std::vector<std::string>{"rank 0 saved", "rank 1 saved"})) << session_.log(token_);
}

}  // namespace
}  // namespace ym::local
