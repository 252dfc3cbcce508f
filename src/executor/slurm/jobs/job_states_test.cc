#include "executor/slurm/jobs/job_states.h"

#include <gmock/gmock.h>

#include "base/testing/sentences.h"
#include "executor/slurm/jobs/sbatch_words.h"

namespace ym::slurm {
namespace {

JobRow row(std::string state, std::string exit, std::string reason = "None") {
  return {.id = 7,
          .name = "ym-1.1.1",
          .state = std::move(state),
          .reason = std::move(reason),
          .exit = std::move(exit),
          .started = Instant{1}};
}

TEST(JobStates, EveryWordHasAPhase) {
  const std::vector<std::pair<std::string, Phase>> table{
      {"PENDING", Phase::pending},       {"REQUEUED", Phase::pending},       {"SPECIAL_EXIT", Phase::pending},
      {"RUNNING", Phase::active},        {"CONFIGURING", Phase::active},     {"COMPLETING", Phase::active},
      {"SUSPENDED", Phase::active},      {"COMPLETED", Phase::over},         {"FAILED", Phase::over},
      {"TIMEOUT", Phase::over},          {"CANCELLED by 1000", Phase::over}, {"CANCELLED+", Phase::over},
      {"OUT_OF_MEMORY", Phase::over},    {"PREEMPTED", Phase::over},         {"DEADLINE", Phase::over},
      {"NODE_FAIL", Phase::node_failed}, {"BOOT_FAIL", Phase::node_failed},  {"", Phase::unknown},
      {"running", Phase::unknown},       {"EVAPORATED", Phase::unknown}};
  for (const auto& [state, phase] : table) EXPECT_EQ(phase_of(state), phase) << state;
}

TEST(JobStates, ExitsInEveryForm) {
  EXPECT_EQ(parse_exit("3:0"), (SlurmExit{3, 0}));
  EXPECT_EQ(parse_exit("0:9"), (SlurmExit{0, 9}));
  EXPECT_EQ(parse_exit("768"), (SlurmExit{3, 0}));
  EXPECT_EQ(parse_exit("9"), (SlurmExit{0, 9}));
  EXPECT_EQ(parse_exit("4021"), (SlurmExit{15, 53}));
  for (const char* text : {"abc", "999:0", "0:999", "-1:0", "", ":", "0:", "99999999999", "70000"})
    EXPECT_FALSE(parse_exit(text)) << text;
}

TEST(JobStates, HowATaskHasEnded) {
  ym::testing::expect_sentence(exit_of(row("FAILED", "2:0"), true)->message);
  ym::testing::expect_sentence(exit_of(row("FAILED", "13:0"), true)->message);
  const auto exited = exit_of(row("FAILED", "3:0"), true);
  ASSERT_TRUE(exited);
  EXPECT_EQ(exited->by, EndedBy::exit);
  EXPECT_EQ(exited->exit_code, 3);
  EXPECT_EQ(exit_of(row("COMPLETED", "0:0"), true)->exit_code, 0);
  EXPECT_EQ(exit_of(row("FAILED", "0:9"), true)->signal, 9);
  EXPECT_EQ(exit_of(row("FAILED", "137:0"), true)->signal, 9);
  EXPECT_EQ(exit_of(row("FAILED", "0:53", "JobLaunchFailure"), true)->by, EndedBy::start_failed);
  EXPECT_EQ(exit_of(row("TIMEOUT", "0:15"), true)->by, EndedBy::time_limit);
  EXPECT_EQ(exit_of(row("OUT_OF_MEMORY", "0:125"), true)->by, EndedBy::oom);
  EXPECT_EQ(exit_of(row("CANCELLED", "15"), true)->by, EndedBy::cancelled);
  EXPECT_EQ(exit_of(row("PREEMPTED", "0:15"), true)->by, EndedBy::preempted);
  EXPECT_EQ(exit_of(row("NODE_FAIL", "0:0"), true)->by, EndedBy::lost);
}

TEST(JobStates, AJobThatWasAskedToStopHasNotCompleted) {
  auto asked = row("COMPLETED", "0:0");
  asked.preempted = Instant{5};
  EXPECT_EQ(exit_of(asked, true)->by, EndedBy::preempted);
}

TEST(JobStates, OfSeveralTasksTheJobsExitIsOfNoTask) {
  EXPECT_FALSE(exit_of(row("FAILED", "3:0"), false));
  EXPECT_EQ(exit_of(row("COMPLETED", "0:0"), false)->exit_code, 0) << "unless none of them failed";
  EXPECT_EQ(exit_of(row("TIMEOUT", "0:15"), false)->by, EndedBy::time_limit);
}

TEST(JobStates, ANonsenseExitIsNone) {
  EXPECT_FALSE(exit_of(row("FAILED", "abc"), true));
  EXPECT_FALSE(exit_of(row("COMPLETED", "999:0"), true));
}

TEST(JobStates, WhatSbatchSays) {
  using Kind = SubmitError::Kind;
  const std::vector<std::pair<std::string, Kind>> table{
      {"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)",
       Kind::unclear},
      {"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation", Kind::unclear},
      {"sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid "
       "partition "
       "name specified",
       Kind::permanent},
      {"sbatch: error: Batch job submission failed: Requested node configuration is not available", Kind::permanent},
      {"sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size "
       "and/or time limits)",
       Kind::refused},
      {"", Kind::unclear},
      {"Segmentation fault", Kind::unclear}};
  for (const auto& [text, kind] : table) EXPECT_EQ(submit_error_of(text).kind, kind) << text;
  EXPECT_EQ(parse_job_number("12\n"), 12);
  EXPECT_EQ(parse_job_number("12;lab\n"), 12);
  for (const char* text : {"", "Submitted batch job 12", "0", "-4", "12x"})
    EXPECT_FALSE(parse_job_number(text)) << text;
}

}  // namespace
}  // namespace ym::slurm
