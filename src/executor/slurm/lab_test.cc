// On a real Slurm: what works, and what Slurm reports wrongly.
#include "executor/slurm/testing/lab.h"
#include "executor/slurm/jobs/script.h"

namespace ym::slurm {
namespace {

TEST_F(OnRealSlurm, AGangRunsInTheOrderOfItsTasksAndItsLogsAreRead) {
  stand_in_->code("echo task $task; exit $((task + 3))");
  begin();
  executor_->launch(request(token(), {"n3", "n1", "n2"}, 2));
  ASSERT_TRUE(await<TaskHasEnded>(token(), 3)) << queue();
  for (const auto& end : said<TaskHasEnded>(token())) EXPECT_EQ(end.exit.exit_code, end.task + 3);
  auto ran = stand_in_->ran();
  std::ranges::sort(ran);
  const auto id = to_string(token());
  EXPECT_EQ(ran, (std::vector<std::string>{id + ".0 n3 0,1", id + ".1 n1 0,1", id + ".2 n2 0,1"}));
  EXPECT_EQ(said<LaunchAccepted>(token()).size(), 1U);
  const auto log = executor_->read_log({.attempt = token().key(), .task = 1});
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->data, "task 1\n");
  EXPECT_TRUE(log->complete);
  EXPECT_FALSE(executor_->read_log({.attempt = token(9).key()}));
  const fs::path logs = log_folder(options_.log_dir, token().key());
  EXPECT_EQ(static_cast<unsigned>(fs::status(logs).permissions()), 0700U);
  for (const char* name : {"0+0.log", "0+1.log", "0+2.log"})
    EXPECT_EQ(static_cast<unsigned>(fs::status(logs / name).permissions()), 0600U) << name;
}

TEST_F(OnRealSlurm, TheInventoryIsSlurmsWithoutWhatOthersHold) {
  const auto other = lab_->run(
      {"sbatch", "--parsable", "-w", "n2", "--gres=gpu:h100:3", "-c", "4", "--output=/dev/null", "--job-name=other"},
      "#!/bin/sh\nsleep 60\n");
  lab_->run({"scontrol", "update", "nodename=n4", "state=drain", "reason=bad fan"});
  ASSERT_TRUE(until([&] { return queue().find("other RUNNING") != std::string::npos; }));
  begin();
  const auto nodes = executor_->inventory();
  lab_->run({"scancel", other.substr(0, other.find('\n'))});
  resume("n4");
  ASSERT_TRUE(nodes) << nodes.error().message;
  ASSERT_EQ(nodes->size(), 4U);
  const auto& busy = (*nodes)[1];
  EXPECT_EQ(busy.name, "n2");
  EXPECT_EQ(busy.gpu_type, "h100");
  EXPECT_EQ(busy.cpus, 12 * kMilli);
  EXPECT_EQ(std::ranges::count_if(busy.devices, [](const Device& d) { return d.usable(); }), 5);
  EXPECT_TRUE(std::ranges::all_of(busy.devices, &Device::healthy)) << "they are healthy, but other jobs use them";
  EXPECT_EQ(busy.labels.at("rack"), "r1");
  EXPECT_EQ((*nodes)[3].withheld, "drained in Slurm: bad fan");
  EXPECT_TRUE((*nodes)[0].in_service());
}

TEST_F(OnRealSlurm, AnAgentThatANodeDoesNotHaveIsNamed) {
  options_.wrapper = "/nowhere/ym-task";
  options_.poll = seconds(1);
  options_.status_rpcs_a_minute = 600;
  begin();
  executor_->launch(request(token(), {"n1"}));
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue();
  const auto exit = said<TaskHasEnded>(token()).front().exit;
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_NE(exit.message.find("does not have ym-task"), std::string::npos) << exit.message;
}

// What sbatch has confirmed is not durable for five seconds; nor is a cancel.
TEST_F(OnRealSlurm, WhatWasAskedToMakeRoomHasNotCompleted) {
  stand_in_->code("trap 'exit 0' TERM; touch \"$box/ready\"; while :; do sleep 0.1; done");
  options_.partition = "low";
  options_.poll = seconds(1);
  options_.node_poll = seconds(2);
  begin();
  executor_->launch(request(token(), {"n3"}, 8));
  ASSERT_TRUE(until([&] { return fs::exists(stand_in_->folder() / "ready"); })) << queue();
  stand_in_->hush();
  lab_->run(
      {"sbatch", "--parsable", "-p", "high", "-w", "n3", "--gres=gpu:h100:8", "--output=/dev/null", "--job-name=vip"},
      "#!/bin/sh\nsleep 2\n");
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue();
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.by, EndedBy::preempted)
      << said<TaskHasEnded>(token()).front().exit.message;
  RecordProperty("words", said<TaskHasEnded>(token()).front().exit.message);
}

TEST_F(OnRealSlurm, AFinishedJobThatSlurmHasForgottenHasEndedAndIsNotRunAgain) {
  ends_and_is_forgotten("exit 0");
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.by, EndedBy::lost);
  EXPECT_EQ(stand_in_->ran().size(), 1U);
}

// This server may use it, and other jobs do not get its nodes.
TEST_F(OnRealSlurm, InAReservationThatIsGivenToUsJobsRun) {
  lab_->run({"scontrol", "create", "reservation", "reservationname=ours", "starttime=now", "duration=60", "nodes=n2",
             "users=root"});
  begin();
  EXPECT_TRUE(until([&] { return executor_->inventory().value()[1].withheld == "in a Slurm reservation"; }));
  finish();
  options_.reservation = "ours";
  begin();
  EXPECT_TRUE(executor_->inventory().value()[1].in_service());
  executor_->launch(request(token(), {"n2"}));
  EXPECT_TRUE(await<TaskHasEnded>(token())) << queue();
  EXPECT_EQ(stand_in_->ran(), std::vector<std::string>{to_string(token()) + ".0 n2 0"});
  stand_in_->hush();
  EXPECT_TRUE(until([&] { return jobs_named(token()) == 0; })) << queue();
  lab_->run({"scontrol", "delete", "reservationname=ours"});
}

TEST_F(OnRealSlurm, ARestartOfTheServerFindsItsJobsAndWhatWasNeverLaunched) {
  stand_in_->code("while [ ! -e \"$box/end\" ]; do sleep 0.1; done; exit 6");
  begin();
  executor_->launch(request(token(), {"n1", "n2"}));
  ASSERT_TRUE(await<TaskIsRunning>(token(), 2)) << queue();
  LiveAttempt live{.request = request(token(), {"n1", "n2"}), .tasks = std::vector<TaskStatus>(2)};
  for (std::size_t i = 0; i < 2; ++i) live.tasks[i].claim = said<GangIsWaiting>(token()).back().claims[i];
  const LiveAttempt never{.request = request(token(2), {"n1"}), .tasks = std::vector<TaskStatus>(1)};
  finish();
  begin({live, never});
  EXPECT_TRUE(await<TokenIsUnknown>(token(2)));
  EXPECT_TRUE(said<TokenIsUnknown>(token()).empty());
  std::ofstream(stand_in_->folder() / "end").close();
  ASSERT_TRUE(await<TaskHasEnded>(token(), 2)) << queue();
  for (const auto& end : said<TaskHasEnded>(token())) EXPECT_EQ(end.exit.exit_code, 6);
  EXPECT_EQ(stand_in_->ran().size(), 2U);
}

TEST_F(OnRealSlurm, WhatSlurmWillNeverTakeIsRefusedInItsWords) {
  options_.partition = "nope";
  begin();
  executor_->launch(request(token(), {"n1"}));
  ASSERT_TRUE(await<LaunchRefused>(token()));
  EXPECT_TRUE(said<LaunchRefused>(token()).front().permanent);
  EXPECT_NE(said<LaunchRefused>(token()).front().message.find("partition"), std::string::npos);
}

}  // namespace
}  // namespace ym::slurm
