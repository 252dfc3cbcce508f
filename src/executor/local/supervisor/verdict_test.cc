#include "executor/local/supervisor/verdict.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/testing/sentences.h"

namespace ym::local {
namespace {

using ym::testing::expect_sentence;

constexpr int exited(int code) { return code << 8; }

TEST(Verdict, AnExitIsAnExit) {
  const auto exit = classify({.wait_status = exited(3)});
  EXPECT_EQ(exit.by, EndedBy::exit);
  EXPECT_EQ(exit.exit_code, 3);
  expect_sentence(exit.message);
  EXPECT_EQ(classify({.wait_status = exited(0)}).message, "");
}

TEST(Verdict, AShellExplainsItself) {
  expect_sentence(classify({.wait_status = exited(127), .shell = true}).message);
  expect_sentence(classify({.wait_status = exited(127), .shell = false}).message);
}

TEST(Verdict, ASignalThatWasNotOurs) {
  const auto exit = classify({.wait_status = SIGSEGV});
  EXPECT_EQ(exit.by, EndedBy::signal);
  EXPECT_EQ(exit.signal, SIGSEGV);
  expect_sentence(exit.message);
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
  // Nothing shows that it was the limit.
  expect_sentence(classify({.wait_status = exited(1), .memory_limit = 1 << 20}).message);
}

TEST(Verdict, AStopCountsMoreThanHowItEnded) {
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::cancel}).by, EndedBy::cancelled);
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::preemption}).by, EndedBy::preempted);
  EXPECT_EQ(classify({.wait_status = SIGTERM, .stopped = WhyStopped::time_limit}).by, EndedBy::time_limit);
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::cancel}).exit_code, 0);
}

TEST(Verdict, AGangsFailureHasNoCause) {
  EXPECT_EQ(classify({.wait_status = SIGTERM, .stopped = WhyStopped::gang_failure}).by, EndedBy::signal);
  EXPECT_EQ(classify({.wait_status = exited(0), .stopped = WhyStopped::gang_failure}).by, EndedBy::exit);
}

TEST(Verdict, SaysThatItWasForced) {
  const auto exit = classify({.wait_status = SIGKILL, .stopped = WhyStopped::cancel, .forced = true});
  EXPECT_TRUE(exit.forced);
  expect_sentence(exit.message);
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
