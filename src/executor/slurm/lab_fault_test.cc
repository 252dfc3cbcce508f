// On a real Slurm: controllers that die, nodes that are lost, answers that do not come.
#include "executor/slurm/testing/lab.h"

namespace ym::slurm {
namespace {

// A controller that dies restarts with its last saved state; its ids continue from there.
TEST_F(OnRealSlurm, AcceptedThenLostAndACancelUndoneAndAnIdUsedAgain) {
  hold_lists_by_command();
  begin();
  for (const char* node : {"n1", "n4"})
    lab_->run({"scontrol", "update", std::string("nodename=") + node, "state=drain", "reason=test"});
  executor_->launch(request(token(2), {"n4"}));
  ASSERT_TRUE(await<LaunchAccepted>(token(2))) << queue();
  std::this_thread::sleep_for(std::chrono::seconds(6));
  lab_->keep_state();
  executor_->stop(token(2), {.cause = StopCause::cancel, .grace = seconds(1)});
  stand_in_->code("sleep 3; exit 4");
  executor_->launch(request(token(), {"n1"}));
  ASSERT_TRUE(await<LaunchAccepted>(token()));
  ASSERT_TRUE(until([&] { return jobs_named(token(2)) == 0; })) << queue();
  const auto id = id_of(token());
  hold_lists(true);
  lab_->kill_controller();
  lab_->restore_state();
  lab_->start_controller();
  const auto after = queue();
  EXPECT_EQ(jobs_named(token()), 0) << "it is not lost";
  EXPECT_EQ(jobs_named(token(2)), 1) << "it is cancelled still";
  EXPECT_EQ(
      lab_->run({"sbatch", "--parsable", "--hold", "--output=/dev/null", "--job-name=dummy"}, "#!/bin/sh\ntrue\n"),
      id + "\n");
  hold_lists(false);
  resume("n1"), resume("n4");
  ASSERT_TRUE(await<TaskHasEnded>(token())) << after << "now\n" << queue();
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.exit_code, 4);
  ASSERT_TRUE(await<TaskHasEnded>(token(2))) << queue();
  EXPECT_EQ(said<TaskHasEnded>(token(2)).front().exit.by, EndedBy::start_failed);
  EXPECT_TRUE(until([&] { return jobs_named(token(2)) == 0 && jobs_named(token()) == 0; })) << queue();
  EXPECT_EQ(stand_in_->ran().size(), 1U) << "once, and never what was cancelled";
  EXPECT_NE(queue().find(id + " dummy"), std::string::npos) << "another job, with the same id";
  lab_->run({"scancel", "--name=dummy"});
}

TEST_F(OnRealSlurm, ADownNodeStillComputes) {
  stand_in_->code("echo $$ > \"$box/pid\"; while :; do date >> \"$box/beat\"; sleep 0.2; done");
  options_.node_poll = seconds(2);
  options_.poll = seconds(2);
  begin();
  executor_->launch(request(token(), {"n4"}));
  ASSERT_TRUE(await<TaskIsRunning>(token())) << queue();
  ASSERT_TRUE(until([&] { return fs::exists(stand_in_->folder() / "beat"); }));
  stand_in_->hush();
  lab_->kill_node("n4");
  lab_->run({"scontrol", "update", "nodename=n4", "state=down", "reason=lost"});
  ASSERT_TRUE(until([&] { return queue().find("NODE_FAIL") != std::string::npos || jobs_named(token()) == 0; }))
      << queue();
  const auto beats = [&] { return fs::file_size(stand_in_->folder() / "beat"); };
  const auto then = beats();
  ASSERT_TRUE(until([&] { return beats() > then + 500; })) << "it is to go on for a while";
  EXPECT_TRUE(said<TaskHasEnded>(token()).empty()) << "its processes live";
  lab_->start_node("n4");
  resume("n4");
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue();
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.by, EndedBy::lost);
  const auto last = beats();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(beats(), last) << "and now it does not";
}

TEST_F(OnRealSlurm, ASubmissionThatTimesOutAfterItWasAcceptedMakesOneJob) {
  const auto bin = stand_in_->folder() / "bin";
  fs::create_directories(bin);
  for (const char* name : {"squeue", "scontrol", "scancel", "sacct"})
    fs::create_symlink(fs::path("/usr/bin") / name, bin / name);
  std::ofstream(bin / "sbatch") << "#!/bin/sh\n/usr/bin/sbatch \"$@\" > /dev/null\necho once >> "
                                << (bin / "submits").string() << "\nexec sleep 1000\n";
  fs::permissions(bin / "sbatch", fs::perms{0755});
  options_.bin_dir = bin;
  options_.command_timeout = seconds(10);
  begin();
  executor_->launch(request(token(), {"n1"}));
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue();
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.exit_code, 0);
  EXPECT_EQ(stand_in_->ran().size(), 1U);
  std::ifstream submits(bin / "submits");
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(submits), {}, '\n'), 1);
}

TEST_F(OnRealSlurm, AControllerThatIsAwayForMinutesLosesNothing) {
  stand_in_->code("while [ ! -e \"$box/end\" ]; do sleep 0.1; done; exit 5");
  options_.poll = seconds(1);
  options_.node_poll = seconds(2);
  options_.command_timeout = seconds(2);
  options_.leave_after = minutes(10);
  begin();
  executor_->launch(request(token(), {"n1"}));
  ASSERT_TRUE(await<TaskIsRunning>(token())) << queue();
  lab_->kill_controller();
  executor_->launch(request(token(2), {"n2"}));
  const auto availability = [&](bool available) {
    return until([&] {
      const auto seen = said<ClusterIsSeen>({});
      return !seen.empty() && seen.back().available == available;
    });
  };
  EXPECT_TRUE(availability(false));
  EXPECT_TRUE(said<TaskHasEnded>(token()).empty());
  EXPECT_TRUE(said<TokenIsUnknown>(token()).empty());
  std::this_thread::sleep_for(std::chrono::seconds(125));
  EXPECT_TRUE(said<TaskHasEnded>(token()).empty());
  EXPECT_TRUE(said<LaunchRefused>(token(2)).empty());
  lab_->start_controller();
  EXPECT_TRUE(availability(true));
  std::ofstream(stand_in_->folder() / "end").close();
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue();
  ASSERT_TRUE(await<TaskHasEnded>(token(2))) << queue();
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.exit_code, 5);
  EXPECT_EQ(said<TaskHasEnded>(token(2)).front().exit.exit_code, 5);
  EXPECT_EQ(stand_in_->ran().size(), 2U);
}

// Waiting tasks find a closed barrier if they start later; and they are cancelled when Slurm answers again.
TEST_F(OnRealSlurm, WhatHasNotBegunLeavesAClusterThatIsAway) {
  options_.poll = options_.node_poll = seconds(1);
  options_.command_timeout = options_.leave_after = seconds(2);
  hold_lists_by_command();
  begin();
  lab_->run({"scontrol", "update", "nodename=n1", "state=drain", "reason=test"});
  executor_->launch(request(token(), {"n1"}));
  ASSERT_TRUE(await<LaunchAccepted>(token())) << queue();
  std::this_thread::sleep_for(std::chrono::seconds(6));
  lab_->kill_controller();
  hold_lists(true);
  ASSERT_TRUE(await<LaunchRefused>(token()));
  const auto why = said<LaunchRefused>(token()).front();
  EXPECT_TRUE(why.of_executor);
  EXPECT_EQ(why.message, "cluster lab does not answer, and the job had not begun there");
  executor_->release(token());
  lab_->start_controller();
  EXPECT_EQ(jobs_named(token()), 1) << "nothing is left";
  hold_lists(false);
  EXPECT_TRUE(until([&] { return jobs_named(token()) == 0; })) << queue();
  resume("n1");
  EXPECT_EQ(stand_in_->ran(), std::vector<std::string>{});
}

}  // namespace
}  // namespace ym::slurm
