#include "executor/local/supervisor/verdict.h"

#include <gtest/gtest.h>

#include <csignal>

namespace ym::local {
namespace {

constexpr int exited(int code) { return code << 8; }

TEST(Verdict, AnExitIsAnExit) {
  const auto exit = classify({.wait_status = exited(3)});
  EXPECT_EQ(exit.by, EndedBy::exit);
  EXPECT_EQ(exit.exit_code, 3);
  EXPECT_EQ(exit.message, "exit code 3");
  EXPECT_EQ(classify({.wait_status = exited(0)}).message, "");
}

TEST(Verdict, AShellExplainsItself) {
  EXPECT_NE(classify({.wait_status = exited(127), .shell = true}).message.find("no such command"), std::string::npos);
  EXPECT_EQ(classify({.wait_status = exited(127), .shell = false}).message, "exit code 127");
}

TEST(Verdict, ASignalThatWasNotOurs) {
  const auto exit = classify({.wait_status = SIGSEGV});
  EXPECT_EQ(exit.by, EndedBy::signal);
  EXPECT_EQ(exit.signal, SIGSEGV);
  EXPECT_EQ(exit.message, "killed by SIGSEGV (Segmentation fault)");
}

TEST(Verdict, OutOfMemory) {
  EXPECT_EQ(classify({.wait_status = SIGKILL, .out_of_memory = true}).by, EndedBy::oom);
  EXPECT_EQ(classify({.wait_status = exited(1), .out_of_memory = true}).by, EndedBy::oom);
  // One of its helpers was killed, and the program went on.
  EXPECT_EQ(classify({.wait_status = exited(0), .out_of_memory = true}).by, EndedBy::exit);
}

TEST(Verdict, OutOfMemoryNamesTheLimitWhereThereIsOne) {
  const auto message = [](std::int64_t limit) {
    return classify({.wait_status = SIGKILL, .out_of_memory = true, .memory_limit = limit}).message;
  };
  EXPECT_NE(message(1 << 20).find(" 1MiB"), std::string::npos) << message(1 << 20);
  EXPECT_EQ(message(0).find("0"), std::string::npos) << message(0);
  const auto other = classify({.wait_status = exited(1), .memory_limit = 1 << 20});
  EXPECT_EQ(other.message, "exit code 1") << "nothing shows that it was the limit";
}

TEST(Verdict, AStopCountsMoreThanHowItEnded) {
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::cancel}).by, EndedBy::cancelled);
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::preemption}).by, EndedBy::preempted);
  EXPECT_EQ(classify({.wait_status = SIGTERM, .stopped = WhyStopped::time_limit}).by, EndedBy::time_limit);
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::cancel}).exit_code, 0);
}

TEST(Verdict, AGangsFailureIsNobodysCause) {
  EXPECT_EQ(classify({.wait_status = SIGTERM, .stopped = WhyStopped::gang_failure}).by, EndedBy::signal);
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::gang_failure}).by, EndedBy::exit);
}

TEST(Verdict, SaysThatItWasForced) {
  const auto exit = classify({.wait_status = SIGKILL, .stopped = WhyStopped::cancel, .forced = true});
  EXPECT_TRUE(exit.forced);
  EXPECT_EQ(exit.message, "cancelled; killed when its grace was over");
}

TEST(StopPlan, TheFirstCauseStaysAndTheShortestGraceHolds) {
  StopPlan plan;
  EXPECT_FALSE(plan.deadline());
  EXPECT_TRUE(plan.request(WhyStopped::preemption, 1000, 500));
  EXPECT_EQ(plan.deadline(), 1500);
  EXPECT_FALSE(plan.request(WhyStopped::cancel, 1100, 100));
  EXPECT_EQ(plan.deadline(), 1200);
  EXPECT_FALSE(plan.request(WhyStopped::cancel, 1100, 9000));
  EXPECT_EQ(plan.deadline(), 1200);
  EXPECT_EQ(plan.cause(), WhyStopped::preemption);
}

TEST(StopPlan, AnEndlessGraceDoesNotOverflow) {
  StopPlan plan;
  plan.request(WhyStopped::cancel, 1000, INT64_MAX);
  EXPECT_EQ(plan.deadline(), INT64_MAX);
}

}  // namespace
}  // namespace ym::local
