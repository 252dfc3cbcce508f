#include <fstream>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};

void a_token_that_was_never_launched_is_unknown(ExecutorHost& host) {
  Session session{host, {kToken}};
  session.wait_unknown(kToken);
  session.launch(kToken, note("ran"));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  if (host.runs_programs()) EXPECT_EQ(ledger(host).size(), 1U);
}

void a_running_attempt_does_not_notice_a_restart(ExecutorHost& host) {
  {
    Session session{host};
    session.launch(kToken, note("ran") + "; while [ ! -e go ]; do sleep 0.02; done; exit 6", 2);
    session.wait_running(kToken, 2);
  }
  Session session{host, {kToken}};
  session.wait_running(kToken, 2);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U);
  std::ofstream(host.scratch() / "go").close();
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.exit_code, 6);
  EXPECT_EQ(ledger(host).size(), 2U);
}

void an_end_without_an_executor_is_reported_later(ExecutorHost& host) {
  {
    Session session{host};
    session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; touch gone; exit 6");
    session.wait_running(kToken);
  }
  std::ofstream(host.scratch() / "go").close();
  wait_until("gone", [&] { return std::filesystem::exists(host.scratch() / "gone"); });
  Session session{host, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).exit_code, 6);
}

void a_stop_reaches_an_attempt_of_an_earlier_executor(ExecutorHost& host) {
  {
    Session session{host};
    session.launch(kToken, "exec sleep 1000");
    session.wait_running(kToken);
  }
  Session session{host, {kToken}};
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(60)});
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::cancelled);
}

// Asks about all at once: one that runs, one that has ended meanwhile and one that never began.
void each_token_is_answered_for(ExecutorHost& host) {
  const Token runs{JobId{2}, 1, 7}, ends{JobId{3}, 1, 7}, never{JobId{4}, 1, 7};
  {
    Session session{host};
    session.launch(runs, note("ran") + "; while [ ! -e go ]; do sleep 0.02; done; exit 4");
    session.launch(ends, note("ran") + "; while [ ! -e end ]; do sleep 0.02; done; touch gone; exit 5");
    session.wait_running(runs);
    session.wait_running(ends);
  }
  std::ofstream(host.scratch() / "end").close();
  wait_until("gone", [&] { return std::filesystem::exists(host.scratch() / "gone"); });
  Session session{host, {runs, ends, never}};
  session.wait_unknown(never);
  EXPECT_EQ(session.wait_end(ends).exit_code, 5);
  session.wait_running(runs);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(runs)), 0U);
  std::ofstream(host.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(runs).exit_code, 4);
  for (const auto& token : {runs, ends}) EXPECT_EQ(count<TokenIsUnknown>(session.seen(token)), 0U);
  EXPECT_EQ(ledger(host).size(), 2U);
}

void a_launch_after_a_restart_finds_the_first(ExecutorHost& host) {
  {
    Session session{host};
    session.launch(kToken, note("ran") + "; while [ ! -e go ]; do sleep 0.02; done");
    session.wait_running(kToken);
  }
  Session session{host, host.keeps_state() ? std::vector<Token>{} : std::vector<Token>{kToken}};
  session.launch(kToken, note("ran twice"));
  session.wait_running(kToken);
  std::ofstream(host.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(ledger(host), std::vector<std::string>{"ran"});
}

void the_time_limit_holds_without_an_executor(ExecutorHost& host) {
  {
    Session session{host};
    JobSpec spec{.name = "x", .workdir = host.scratch()};
    spec.run = host.shell("trap 'touch gone; exit 4' TERM; while :; do sleep 0.02; done");
    spec.time_limit = seconds(2);
    session.launch(kToken, std::move(spec));
    session.wait_running(kToken);
  }
  wait_until("gone", [&] { return std::filesystem::exists(host.scratch() / "gone"); });
  Session session{host, {kToken}};
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::time_limit);
  EXPECT_EQ(exit.exit_code, 4);
}

// If the executor is killed at a random moment of a launch, nothing starts twice and everything ends.
void restarts_in_the_middle_of_launches(ExecutorHost& host) {
  std::vector<Token> tokens;
  for (std::uint64_t i = 1; i <= 20; ++i) tokens.push_back({JobId{i}, 1, 7});
  {
    Session session{host};
    for (const auto& token : tokens) session.launch(token, note(std::to_string(token.job.value)), 2);
    session.wait_ended(tokens.front(), 2);
  }
  Session session{host, tokens};
  for (const auto& token : tokens) {
    session.wait(token, "reported", [](const auto& seen) { return !seen.empty(); });
    if (count<TokenIsUnknown>(session.seen(token)) > 0) session.launch(token, note(std::to_string(token.job.value)), 2);
  }
  for (const auto& token : tokens)
    for (const auto& exit : session.wait_ended(token, 2)) EXPECT_EQ(exit.exit_code, 0) << describe(session.seen(token));
  EXPECT_EQ(ledger(host).size(), 40U);
}

void a_task_that_loses_its_watcher_is_lost_and_gone(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "(trap '' HUP TERM; echo $$ >> ledger; exec sleep 1000) & echo $! > child; exec sleep 1000");
  session.wait_running(kToken);
  wait_until("a child", [&] { return !lines_of(host.scratch() / "child").empty(); });
  if (!host.kill_watcher(kToken, 0)) GTEST_SKIP() << "this executor has no watchers";
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::lost);
  EXPECT_FALSE(exit.exit_code);
  const auto child = std::stoi(lines_of(host.scratch() / "child").front());
  EXPECT_TRUE(host.is_gone(child)) << "a process of a lost task lives";
}

void a_task_that_lost_its_watcher_without_an_executor_is_lost_and_gone(ExecutorHost& host) {
  {
    Session session{host};
    session.launch(kToken, "sleep 1000 & echo $! > child; wait");
    session.wait_running(kToken);
    wait_until("a child", [&] { return !lines_of(host.scratch() / "child").empty(); });
  }
  if (!host.kill_watcher(kToken, 0)) GTEST_SKIP() << "this executor has no watchers";
  {
    Session session{host, {kToken}};
    EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
    const auto child = std::stoi(lines_of(host.scratch() / "child").front());
    EXPECT_TRUE(host.is_gone(child)) << "a process of a lost task lives";
  }
  Session again{host, {kToken}};
  EXPECT_EQ(again.wait_end(kToken).by, EndedBy::lost);
}

}  // namespace

std::vector<ExecutorTest> restart_tests() {
  return {{"ATokenThatWasNeverLaunchedIsUnknown", a_token_that_was_never_launched_is_unknown, Needs::nothing},
          {"ARunningAttemptDoesNotNoticeARestart", a_running_attempt_does_not_notice_a_restart},
          {"AnEndWithoutAnExecutorIsReportedLater", an_end_without_an_executor_is_reported_later},
          {"AStopReachesAnAttemptOfAnEarlierExecutor", a_stop_reaches_an_attempt_of_an_earlier_executor},
          {"EachTokenIsAnsweredFor", each_token_is_answered_for},
          {"ALaunchAfterARestartFindsTheFirst", a_launch_after_a_restart_finds_the_first},
          {"TheTimeLimitHoldsWithoutAnExecutor", the_time_limit_holds_without_an_executor},
          {"RestartsInTheMiddleOfLaunches", restarts_in_the_middle_of_launches},
          {"ATaskThatLosesItsWatcherIsLostAndGone", a_task_that_loses_its_watcher_is_lost_and_gone},
          {"ATaskThatLostItsWatcherWithoutAnExecutorIsLostAndGone",
           a_task_that_lost_its_watcher_without_an_executor_is_lost_and_gone}};
}

}  // namespace ym::testing
