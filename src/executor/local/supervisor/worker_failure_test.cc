#include "executor/local/supervisor/worker_failure.h"

#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <string>

namespace ym::local {
namespace {

std::string block(const std::string& status, const std::string& traceback) {
  return "train.py FAILED\n------------------------------------------------------------\nFailures:\n"
         "[1]:\n  time      : 2026-11-28_08:15:59\n  host      : n2\n  rank      : 7 (local_rank: 3)\n"
         "  exitcode  : 1 (pid: 12)\n  error_file: <N/A>\n  traceback : To enable traceback see: https://x\n"
         "------------------------------------------------------------\nRoot Cause (first observed failure):\n"
         "[0]:\n  time      : 2026-11-28_08:15:58\n  host      : n2\n  rank      : 5 (local_rank: 1)\n  exitcode  : " +
         status + "\n  error_file: <N/A>\n  traceback : " + traceback +
         "\n============================================================\n";
}

TEST(WorkerFailure, AWorkerThatWasKilled) {
  const auto failure = worker_failure_in("epoch 3\n" + block("-9 (pid: 11)", "Signal 9 (SIGKILL) received by PID 11"));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->rank, 5);
  EXPECT_EQ(failure->signal, SIGKILL);
  EXPECT_EQ(failure->exit_code, std::nullopt);
  tm at{.tm_sec = 58, .tm_min = 15, .tm_hour = 8, .tm_mday = 28, .tm_mon = 10, .tm_year = 126, .tm_isdst = -1};
  EXPECT_EQ(failure->at, Instant{std::mktime(&at) * 1000});
}

TEST(WorkerFailure, WhatWasRaisedIsTheLastLineOfTheTraceback) {
  const auto failure =
      worker_failure_in(block("3 (pid: 11)",
                              "Traceback (most recent call last):\n    File \"train.py\", line 4, in main\n"
                              "      raise RuntimeError(\"no data\")\n  RuntimeError: no data\n  "));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->exit_code, 3);
  EXPECT_EQ(failure->message, "RuntimeError: no data");
}

TEST(WorkerFailure, AdviceIsNoMessage) {
  const auto failure = worker_failure_in(block("1 (pid: 11)", "To enable traceback see: https://x"));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "");
}

// torchrun restarts its workers, and each round ends in a block of its own.
TEST(WorkerFailure, TheLastBlockCounts) {
  const auto failure = worker_failure_in(block("1 (pid: 11)", "x") + block("4 (pid: 31)", "y"));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->exit_code, 4);
}

TEST(WorkerFailure, NothingWithoutABlockOrARank) {
  EXPECT_FALSE(worker_failure_in("Traceback (most recent call last):\nRuntimeError: no data\n"));
  EXPECT_FALSE(worker_failure_in("Root Cause (first observed failure):\n[0]:\n  rank      : ?\n====\n"));
  EXPECT_FALSE(worker_failure_in("Root Cause (first observed failure):"));
}

// A log is cut at its cap, or a hostile program has written it.
TEST(WorkerFailure, ABlockThatIsCutOffIsReadAsFarAsItGoes) {
  const auto whole = block("-9 (pid: 11)", "Signal 9 (SIGKILL) received by PID 11");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto failure = worker_failure_in(std::string_view(whole).substr(0, size));
    if (failure) EXPECT_EQ(failure->rank, 5) << size;
  }
}

}  // namespace
}  // namespace ym::local
