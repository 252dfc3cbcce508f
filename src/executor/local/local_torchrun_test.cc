// A real gang of torchrun agents, where PyTorch is installed.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "executor/local/test_host.h"

namespace ym::local {
namespace {

using testing::lines_of;
using testing::Session;

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

// The job's PATH: ours, or one that leads to the system's Python.
std::optional<std::string> path_with_torch() {
  const char* ours = std::getenv("PATH");
  for (const auto& path : {std::string(ours ? ours : ""), std::string("/usr/bin:/bin")}) {
    const auto test = "cd / && PATH=" + path + " python3 -c 'import torch.distributed.run' 2>/dev/null";
    if (std::system(test.c_str()) == 0) return path;
  }
  return std::nullopt;
}

TEST(LocalTorchrun, TrainsOnTwoNodes) {
  const auto path = path_with_torch();
  if (!path) GTEST_SKIP() << "neither python3 nor /usr/bin/python3 has PyTorch here";
  TestHost host;
  std::ofstream(host.scratch() / "train.py") << kScript;
  Session session{host};
  const Token token{JobId{1}, 1, 7};
  JobSpec spec{.name = "ddp", .run = {Program::Form::shell, {"train.py --lr 0.1"}}, .workdir = host.scratch()};
  spec.nodes = 2;
  spec.env = {{"PATH", *path}};
  spec.launcher = Launcher::torchrun;
  session.launch(token, spec);
  for (const auto& exit : session.wait_ended(token, 2)) EXPECT_EQ(exit.exit_code, 0) << session.log(token);
  auto ledger = lines_of(host.scratch() / "ledger");
  std::ranges::sort(ledger);
  // Ranks follow the tasks, and the gradients of both were averaged.
  EXPECT_EQ(ledger, (std::vector<std::string>{"0 0 2 0.5", "1 1 2 0.5"}));
}

}  // namespace
}  // namespace ym::local
