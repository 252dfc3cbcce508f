// Agents end to end: the real program, with a real task registry.
#include <gmock/gmock.h>

#include "base/testing/sentences.h"
#include "executor/remote/agent/testing/site.h"

namespace ym::remote {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Agent : public SiteTest {};

bool is_there(const std::string& pid) { return ::kill(std::stoi(pid), 0) == 0; }

TEST_F(Agent, RunsUserCodeAndLeavesWithItsExitCode) {
  launch(request("echo to the log; exit 3"));
  const auto task = agent();
  EXPECT_EQ(task->wait(), 3) << task->errors();
  EXPECT_EQ(task->output(), "to the log\n");
  const auto exit = end_of();
  EXPECT_EQ(exit.by, EndedBy::exit);
  EXPECT_EQ(exit.exit_code, 3);
  EXPECT_EQ(seen<TaskIsRunning>().size(), 1U);
  EXPECT_THAT(http_.bearers(), ElementsAre("bearer-of-task", "first"));
}

TEST_F(Agent, ItsFolderIsGoneWithIt) {
  launch(request("true"));
  EXPECT_EQ(agent()->wait(), 0);
  for (const auto& entry : std::filesystem::directory_iterator(scratch_))
    EXPECT_FALSE(entry.path().filename().string().starts_with("ym-task")) << entry.path();
}

TEST_F(Agent, SaysOfASignalWhichItWas) {
  launch(request("kill -9 $$"));
  EXPECT_EQ(agent()->wait(), 128 + 9);
  EXPECT_EQ(end_of().by, EndedBy::signal);
  EXPECT_EQ(end_of().signal, 9);
}

TEST_F(Agent, SaysWhyUserCodeCouldNotStart) {
  auto what = request("");
  auto spec = *what.spec;
  spec.run = {Program::Form::argv, {"/no/such/program"}};
  what.spec = std::make_shared<JobSpec>(std::move(spec));
  launch(what);
  EXPECT_EQ(agent()->wait(), kNotRunExit);
  EXPECT_EQ(end_of().by, EndedBy::start_failed);
  ym::testing::expect_sentence(end_of().message);
  EXPECT_TRUE(seen<TaskIsRunning>().empty());
}

TEST_F(Agent, UserCodeHasTheNodesEnvironmentAndTheJobsOverIt) {
  auto what = request("env > env; stat -c %a $YM_TOKEN_FILE > mode; cat $YM_TOKEN_FILE > token; echo > done");
  auto spec = *what.spec;
  spec.env = {{"LR", "0.1"}};
  what.spec = std::make_shared<JobSpec>(std::move(spec));
  launch(what);
  EXPECT_EQ(agent()->wait(), 0);
  const auto env = content(scratch_ / "env");
  for (const char* line : {"NODE_HAS=this\n", "LR=0.1\n", "YM_JOB_NAME=train\n", "YM_NODE_RANK=0\n",
                           "YM_PROGRESS_URL=http://s/progress\n", "YM_NODE_IPS=127.0.0.1\n"})
    EXPECT_THAT(env, HasSubstr(line));
  EXPECT_THAT(env, Not(HasSubstr("YM_TASK_")));
  EXPECT_THAT(env, Not(HasSubstr("bearer-of-task")));
  EXPECT_EQ(content(scratch_ / "token"), "first");
  EXPECT_EQ(content(scratch_ / "mode"), "600\n");
}

TEST_F(Agent, ARenewedTokenIsInItsFileSoon) {
  launch(request("until grep -q second $YM_TOKEN_FILE; do sleep 0.05; done"));
  const auto task = agent();
  ASSERT_TRUE(wait_running());
  registry()->deliver(kToken, Secret{"second"});
  EXPECT_EQ(task->wait(), 0);
}

TEST_F(Agent, AGangStartsTogetherAndMeetsAtItsFirstTask) {
  auto what = request("echo $MASTER_ADDR $MASTER_PORT > met$YM_NODE_RANK; test $PET_NNODES = 3", 3);
  auto spec = *what.spec;
  spec.env = {{"PATH", scratch_.string() + ":/usr/bin:/bin"}};
  spec.launcher = Launcher::torchrun;
  spec.run = {Program::Form::argv, {"ignored.py"}};
  what.spec = std::make_shared<JobSpec>(std::move(spec));
  // In place of torchrun's agent: it writes its rendezvous address.
  std::ofstream(scratch_ / "python3") << "#!/bin/sh\necho $MASTER_ADDR $MASTER_PORT > met$YM_NODE_RANK\n";
  std::filesystem::permissions(scratch_ / "python3", std::filesystem::perms::owner_all);
  launch(what);
  const auto one = agent(0), two = agent(1);
  ASSERT_TRUE(eventually([&] { return http_.requests() >= 4; }));
  EXPECT_TRUE(seen<GangIsWaiting>().empty());
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "met0"));
  const auto three = agent(2);
  EXPECT_EQ(one->wait(), 0) << one->errors();
  EXPECT_EQ(two->wait(), 0);
  EXPECT_EQ(three->wait(), 0);
  const auto claims = seen<GangIsWaiting>().at(0).claims;
  const auto meeting = fmt::format("127.0.0.1 {}\n", claims.at(0).port);
  EXPECT_GT(claims.at(0).port, 0);
  for (const char* file : {"met0", "met1", "met2"}) EXPECT_EQ(content(scratch_ / file), meeting);
}

TEST_F(Agent, OfTwoForOneTaskOneRunsUserCode) {
  launch(request("echo ran >> runs; until test -e go; do sleep 0.05; done"));
  const auto first = agent();
  ASSERT_TRUE(wait_running());
  const auto second = agent();
  EXPECT_EQ(second->wait(), kNotRunExit);
  EXPECT_THAT(second->errors(), HasSubstr("another task agent has this task"));
  std::ofstream(scratch_ / "go") << "\n";
  EXPECT_EQ(first->wait(), 0);
  EXPECT_EQ(said("runs"), "ran\n");
}

TEST_F(Agent, OfManyAtOnceOneRunsUserCode) {
  launch(request("echo ran >> runs"));
  std::vector<std::unique_ptr<AgentProcess>> all;
  for (int n = 0; n < 8; ++n) all.push_back(agent());
  int ran = 0;
  for (const auto& one : all) ran += one->wait() == 0 ? 1 : 0;
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(said("runs"), "ran\n");
}

TEST_F(Agent, ReportsProgressByOutputAndByMarker) {
  launch(
      request("echo 'YM_PROGRESS {\"step\": 5}'; printf '{\"step\": 9, \"checkpoint\": {\"uri\": \"/c/9\"}}' > "
              "$YM_PROGRESS_FILE.new; mv $YM_PROGRESS_FILE.new $YM_PROGRESS_FILE; until test -e go; do sleep 0.05; "
              "done"));
  const auto task = agent();
  const auto heard = [&](std::int64_t step) {
    for (const auto& said : seen<ProgressIsReported>())
      if (said.report.step == step) return true;
    return false;
  };
  EXPECT_TRUE(eventually([&] { return heard(9); }));
  std::ofstream(scratch_ / "go") << "\n";
  EXPECT_EQ(task->wait(), 0);
}

TEST_F(Agent, ResumesFromTheNewestCheckpointThatIsThere) {
  std::filesystem::create_directory(scratch_ / "c2");
  auto what = request("echo $YM_RESUME_FROM $YM_RESUME_STEP > from");
  const auto checkpoint = [&](int step) {
    return Checkpoint{.uri = scratch_ / ("c" + std::to_string(step)), .step = step, .durable_at = {step}, .attempt = 1};
  };
  what.checkpoints = {checkpoint(3), checkpoint(2), checkpoint(1)};
  launch(what);
  EXPECT_EQ(agent()->wait(), 0);
  EXPECT_EQ(said("from"), (scratch_ / "c2").string() + " 2\n");
  ASSERT_EQ(seen<CheckpointIsGone>().size(), 1U);
  EXPECT_EQ(seen<CheckpointIsGone>().front().checkpoint, checkpoint(3));
}

TEST_F(Agent, GivesEachTaskOfANodeItsGpus) {
  auto what = request("echo $CUDA_VISIBLE_DEVICES > gpus");
  auto spec = *what.spec;
  spec.resources.gpus = 2000;
  what.spec = std::make_shared<JobSpec>(std::move(spec));
  launch(what);
  EXPECT_EQ(
      agent(0, {{"CUDA_VISIBLE_DEVICES", "4,5,6,7"}, {"YM_TASK_GPUS_PER_TASK", "2"}, {"SLURM_LOCALID", "1"}})->wait(),
      0);
  EXPECT_EQ(said("gpus"), "6,7\n");
}

// Machines clean up memory when a user logs out or another job of the same user ends.
TEST_F(Agent, KnowsTheEndThoughItsFolderWasRemoved) {
  launch(request("echo said; rm -rf \"$(dirname \"$YM_TOKEN_FILE\")\"; test ! -e \"$YM_TOKEN_FILE\" && exit 4"));
  const auto task = agent();
  EXPECT_EQ(task->wait(), 4) << task->errors();
  EXPECT_EQ(end_of().by, EndedBy::exit);
  EXPECT_EQ(end_of().exit_code, 4);
  EXPECT_EQ(task->output(), "said\n");
}

// As Slurm starts a batch script.
TEST_F(Agent, MayBeTheInterpreterOfAScript) {
  launch(request("echo out; echo err >&2; umask > umask; find . -maxdepth 1 -name 'ym-task-*.log' > logs"));
  auto env = environment(0);
  const auto output = scratch_ / "it's logs" / "7" / "0.log";
  std::ofstream script(scratch_ / "script");
  script << "#!" YM_BINARY_DIR "/bin/ym-task\n";
  for (const char* name : {"YM_TASK_URL", "YM_TASK_TOKEN", "YM_LAUNCH_TOKEN"}) {
    script << "export " << name << "='" << env.at(name) << "'\n";
    env.erase(name);
  }
  script << "export YM_TASK_OUTPUT='" << (scratch_ / "it'\\''s logs").string() << "/7/0.log'\n";
  script.close();
  AgentProcess task{env, scratch_ / "stdout", scratch_ / "script"};
  EXPECT_EQ(task.wait(), 0) << task.errors();
  EXPECT_EQ(content(output), "out\nerr\n");
  EXPECT_EQ(content(scratch_ / "logs"), "") << "there is none that would have to be copied";
  EXPECT_EQ(task.output(), "");
  const auto mode = [](const auto& path) { return std::filesystem::status(path).permissions(); };
  EXPECT_EQ(mode(output), std::filesystem::perms{0600});
  EXPECT_EQ(mode(output.parent_path()), std::filesystem::perms{0700});
}

TEST_F(Agent, WithoutAPlaceForItsOutputNothingIsStarted) {
  launch(request("touch ran"));
  auto env = environment(0);
  env["YM_TASK_OUTPUT"] = "/dev/null/x/y";
  AgentProcess task{env, scratch_ / "stdout"};
  EXPECT_EQ(task.wait(), kNoOutputExit);
  EXPECT_NE(task.errors().find("/dev/null/x/y"), std::string::npos) << task.errors();
}

TEST_F(Agent, WhatIsLeftOfAKilledSupervisorIsEnded) {
  launch(
      request("trap '' TERM; (trap '' TERM; echo $PPID > supervisor.sh; sleep 1000) & echo $! > child; echo $PPID > "
              "supervisor; wait; sleep 1000"));
  const auto task = agent();
  const auto supervisor = said("supervisor"), child = said("child");
  ::kill(std::stoi(supervisor), SIGKILL);
  EXPECT_EQ(task->wait(), 128 + 9) << task->errors();
  EXPECT_EQ(end_of().by, EndedBy::lost);
  EXPECT_FALSE(is_there(child));
}

}  // namespace
}  // namespace ym::remote
