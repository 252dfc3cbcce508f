#include "executor/remote/task_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

using ::testing::ElementsAre;

const LaunchRules kRules{.base_env = {{"PATH", "/opt/bin"}}, .start_timeout = minutes(5), .log_cap = 1 << 20};

std::vector<TaskClaim> claims(int tasks) {
  std::vector<TaskClaim> list;
  for (int n = 0; n < tasks; ++n)
    list.push_back({.nonce = "n" + std::to_string(n),
                    .address = "10.0.0." + std::to_string(n + 1),
                    .port = 29'500 + n,
                    .node = "node" + std::to_string(n)});
  return list;
}

LaunchRequest request_of(JobSpec spec) {
  auto request = gang_of(spec.nodes);
  request.spec = std::make_shared<JobSpec>(std::move(spec));
  return request;
}

LaunchPlan plan_of(const LaunchRequest& request) {
  auto plan = LaunchPlan::make(request, claims(static_cast<int>(request.placement.size())), kRules);
  EXPECT_TRUE(plan) << plan.error().message;
  return std::move(*plan);
}

JobSpec torchrun(std::string line, int nodes = 1) {
  JobSpec spec;
  spec.nodes = nodes;
  spec.launcher = Launcher::torchrun;
  spec.run = {Program::Form::shell, {std::move(line)}};
  return spec;
}

TEST(TaskLaunchPlan, AddressesAndThePortAreThoseOfTheClaims) {
  const auto plan = plan_of(request_of(torchrun("train.py", 3)));
  for (int n = 0; n < 3; ++n) {
    const auto launch = plan.of_task(n);
    EXPECT_EQ(launch.env.at("MASTER_ADDR"), "10.0.0.1");
    EXPECT_EQ(launch.env.at("MASTER_PORT"), "29500");
    EXPECT_EQ(launch.env.at("YM_NODE_IPS"), "10.0.0.1,10.0.0.2,10.0.0.3");
    EXPECT_EQ(launch.env.at("YM_NODE_RANK"), std::to_string(n));
    EXPECT_EQ(launch.port, 29'500);
  }
}

// As on this machine.
TEST(TaskLaunchPlan, APortIsOnlyGivenToALauncherThatMayUseOne) {
  JobSpec spec;
  spec.run = {Program::Form::argv, {"train"}};
  for (const char* name : {"MASTER_ADDR", "MASTER_PORT", "PET_MASTER_PORT"})
    EXPECT_FALSE(plan_of(request_of(spec)).of_task(0).env.contains(name)) << name;
  spec.resources.gpus = kMilli;
  const auto launch = plan_of(request_of(spec)).of_task(0);
  EXPECT_EQ(launch.env.at("MASTER_PORT"), "29500");
  EXPECT_EQ(launch.env.at("PET_MASTER_PORT"), "29500");
  EXPECT_EQ(launch.port, 0) << "it has no launcher that meets there before it starts user code";
  spec.resources.gpus = 0;
  spec.run.words = {"torchrun", "train.py"};
  EXPECT_EQ(plan_of(request_of(spec)).of_task(0).env.at("MASTER_ADDR"), "10.0.0.1");
}

TEST(TaskLaunchPlan, WhatTheSpecSaysIsInIt) {
  auto request = gang_of(1);
  auto spec = *request.spec;
  spec.workdir = "/work";
  spec.stop = {.signal = "SIGUSR1", .grace = seconds(7)};
  spec.time_limit = hours(2);
  spec.resources.memory_bytes = 1 << 30;
  spec.env = {{"LR", "0.1"}};
  spec.checkpoint.edit().dir = "/ckpt";
  request.spec = std::make_shared<JobSpec>(std::move(spec));
  request.checkpoints = {{.uri = "/ckpt/5", .step = 5, .durable_at = {1}, .attempt = 1}};
  const auto launch = plan_of(request).of_task(0);
  EXPECT_THAT(launch.argv, ElementsAre("train", "--fast"));
  EXPECT_EQ(launch.workdir, "/work");
  EXPECT_EQ(launch.stop_signal, "SIGUSR1");
  EXPECT_EQ(launch.stop_grace, seconds(7));
  EXPECT_EQ(launch.time_limit, hours(2));
  EXPECT_EQ(launch.memory_bytes, 1 << 30);
  EXPECT_EQ(launch.start_timeout, minutes(5));
  EXPECT_EQ(launch.log_cap, 1 << 20);
  EXPECT_EQ(launch.checkpoints, request.checkpoints);
  EXPECT_EQ(launch.env.at("LR"), "0.1");
  EXPECT_EQ(launch.env.at("PATH"), "/opt/bin");
  EXPECT_EQ(launch.env.at("YM_CHECKPOINT_DIR"), "/ckpt");
  EXPECT_EQ(launch.env.at("YM_PROGRESS_URL"), "http://s/progress");
  EXPECT_EQ(launch.env.at("YM_NOTICE_URL"), "http://s/notice");
  EXPECT_EQ(launch.port, 0) << "no task requests one";
}

TEST(TaskLaunchPlan, InAContainerOnlyAFolderThatWasNamedIsEntered) {
  const auto request = request_of(JobSpec{.run = {Program::Form::argv, {"x"}}, .workdir = "/home/a"});
  auto left_out = request;
  left_out.spec = std::make_shared<JobSpec>(
      JobSpec{.run = {Program::Form::argv, {"x"}}, .workdir = "/home/a", .workdir_left_out = true});
  const auto folder = [](const LaunchRequest& asked, bool in_containers) {
    auto plan = LaunchPlan::make(asked, claims(1),
                                 {.base_env = {}, .start_timeout = minutes(5), .in_containers = in_containers});
    return plan.value().of_task(0).workdir;
  };
  EXPECT_EQ(folder(request, true), "/home/a");
  EXPECT_EQ(folder(left_out, true), "") << "that of the image, in which the agent starts";
  EXPECT_EQ(folder(request, false), "/home/a");
  EXPECT_EQ(folder(left_out, false), "/home/a");
}

TEST(TaskLaunchPlan, NoSecretIsInIt) {
  const auto launch = plan_of(gang_of(1)).of_task(0);
  for (const auto& [name, value] : launch.env) EXPECT_FALSE(value.contains("first")) << name;
}

TEST(TaskLaunchPlan, DevicesAreTheClustersToShow) {
  JobSpec spec;
  spec.run = {Program::Form::argv, {"train"}};
  EXPECT_EQ(plan_of(request_of(spec)).of_task(0).env.at("CUDA_VISIBLE_DEVICES"), "") << "it asked for none";
  spec.resources.gpus = 2 * kMilli;
  EXPECT_FALSE(plan_of(request_of(spec)).of_task(0).env.contains("CUDA_VISIBLE_DEVICES"));
}

TEST(TaskLaunchPlan, EachGroupMeetsAtItsFirstTask) {
  JobSpec spec;
  spec.nodes = 3;
  const auto group = [](const char* name, int nodes, Launcher launcher) {
    return TaskGroup{.name = name,
                     .nodes = nodes,
                     .resources = {},
                     .run = {Program::Form::argv, {std::string(name) + ".py"}},
                     .launcher = launcher,
                     .env = {}};
  };
  spec.groups = {group("actor", 1, Launcher::none), group("learner", 2, Launcher::torchrun)};
  const auto plan = plan_of(request_of(spec));
  EXPECT_THAT(plan.of_task(0).argv, ElementsAre("actor.py"));
  EXPECT_EQ(plan.of_task(0).port, 0);
  EXPECT_FALSE(plan.of_task(0).env.contains("MASTER_PORT"));
  EXPECT_EQ(plan.of_task(2).env.at("MASTER_ADDR"), "10.0.0.2");
  EXPECT_EQ(plan.of_task(2).env.at("MASTER_PORT"), "29501");
  EXPECT_EQ(plan.of_task(2).env.at("YM_NODE_RANK"), "2");
  EXPECT_EQ(plan.of_task(2).env.at("YM_GROUP_RANK"), "1");
  EXPECT_EQ(plan.of_task(2).port, 29'501);
}

// The words of a line are split here, where $HOME of the node is unknown.
TEST(TaskLaunchPlan, VariablesOfTheNodeAreLeftToIt) {
  auto spec = torchrun("train.py --from $YM_RESUME_FROM --out ${HOME}/x --lr $LR");
  spec.env = {{"LR", "0.1"}};
  const auto launch = plan_of(request_of(spec)).of_task(0);
  EXPECT_THAT(launch.argv,
              ElementsAre("python3", "-m", "torch.distributed.run", "train.py", "--from", node_value("YM_RESUME_FROM"),
                          "--out", node_value("HOME") + "/x", "--lr", "0.1"));
  EXPECT_FALSE(launch.env.contains("HOME"));
  EXPECT_FALSE(launch.env.contains("YM_RESUME_FROM"));
}

TEST(TaskLaunchPlan, WhatCanNeverBeLaunchedIsRefused) {
  auto request = gang_of(1);
  auto spec = *request.spec;
  spec.run.words.clear();
  request.spec = std::make_shared<JobSpec>(std::move(spec));
  EXPECT_FALSE(LaunchPlan::check(request, kRules));
  request = gang_of(2);
  request.placement.clear();
  EXPECT_FALSE(LaunchPlan::check(request, kRules));
  EXPECT_TRUE(LaunchPlan::check(gang_of(2), kRules));
}

}  // namespace
}  // namespace ym::remote
