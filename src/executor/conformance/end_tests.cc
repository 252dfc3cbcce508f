#include <csignal>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};
// Ready once its trap is set; sleeps in small pieces, because a shell runs traps between commands.
constexpr const char* kForever = "touch ready; while :; do sleep 0.02; done";

void wait_ready(ExecutorHost& host) {
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
}

void exit_codes_are_reported(ExecutorHost& host) {
  Session session{host};
  for (const int code : {0, 1, 3, 255}) {
    const Token token{JobId{static_cast<std::uint64_t>(code + 1)}, 1, 7};
    session.launch(token, "exit " + std::to_string(code));
    const auto exit = session.wait_end(token);
    EXPECT_EQ(exit.by, EndedBy::exit);
    EXPECT_EQ(exit.exit_code, code);
    EXPECT_FALSE(exit.signal);
    EXPECT_GT(exit.at.ms, 0);
  }
}

void a_signal_of_another_process_is_reported(ExecutorHost& host) {
  Session session{host};
  for (const int signal : {SIGSEGV, SIGKILL, SIGTERM}) {
    const Token token{JobId{static_cast<std::uint64_t>(signal)}, 1, 7};
    session.launch(token, "kill -" + std::to_string(signal) + " $$");
    const auto exit = session.wait_end(token);
    EXPECT_EQ(exit.by, EndedBy::signal);
    EXPECT_EQ(exit.signal, signal);
    EXPECT_FALSE(exit.exit_code);
    EXPECT_FALSE(exit.forced);
  }
}

void a_stop_asks_and_waits(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap 'sleep 0.3; " + note("saved") + "; exit 0' TERM; " + kForever);
  wait_ready(host);
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = seconds(60)});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_EQ(exit.exit_code, 0);
  EXPECT_FALSE(exit.forced);
  EXPECT_EQ(ledger(host), std::vector<std::string>{"saved"});
}

void the_stop_signal_can_be_chosen(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap 'exit 5' USR1; " + std::string(kForever));
  wait_ready(host);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .signal = "SIGUSR1", .grace = seconds(60)});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::cancelled);
  EXPECT_EQ(exit.exit_code, 5);
}

void a_task_that_ignores_the_signal_is_killed_after_the_grace(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap '' TERM; " + std::string(kForever));
  wait_ready(host);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {200}});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::cancelled);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_TRUE(exit.forced);
}

void a_second_stop_shortens_the_grace(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap '' TERM; " + std::string(kForever));
  wait_ready(host);
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = hours(1)});
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {100}});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::preempted);  // the first cause stays
  EXPECT_TRUE(exit.forced);
}

void a_stop_reaches_the_whole_gang(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "exec sleep 1000", 3);
  session.wait_running(kToken, 3);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(60)});
  for (const auto& exit : session.wait_ended(kToken, 3)) EXPECT_EQ(exit.by, EndedBy::cancelled);
}

// No task runs on alone: it would hang in a collective, and block its device.
void a_gang_that_ignores_the_signal_is_killed_as_a_whole(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap '' TERM; : > deaf.$YM_NODE_RANK; while true; do sleep 0.05; done", 3);
  for (int rank = 0; rank < 3; ++rank)
    wait_until("it is deaf", [&] { return std::filesystem::exists(host.scratch() / fmt::format("deaf.{}", rank)); });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = {500}});
  for (const auto& exit : session.wait_ended(kToken, 3)) {
    EXPECT_EQ(exit.by, EndedBy::preempted);
    EXPECT_EQ(exit.signal, SIGKILL);
    EXPECT_TRUE(exit.forced);
  }
}

void a_stop_for_the_gangs_failure_leaves_the_ending_as_it_is(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "if [ $YM_NODE_RANK = 1 ]; then exit 9; fi; exec sleep 1000", 2);
  session.wait(kToken, "one ended", [](const auto& seen) { return count<TaskHasEnded>(seen) == 1; });
  session.wait_running(kToken, 2);
  session.executor().stop(kToken, {.cause = StopCause::gang_failure, .grace = seconds(60)});
  const auto exits = session.wait_ended(kToken, 2);
  EXPECT_EQ(exits[1].exit_code, 9);
  EXPECT_EQ(exits[0].by, EndedBy::signal);
  EXPECT_EQ(exits[0].signal, SIGTERM);
}

void nothing_of_a_task_is_left_when_its_end_is_reported(ExecutorHost& host) {
  Session session{host};
  session.launch(
      kToken,
      "touch ledger; for i in 1 2 3; do setsid sh -c 'trap \"\" TERM HUP; echo $$ >> ledger; exec sleep 1000' & "
      "done; while [ $(wc -l < ledger) -lt 3 ]; do sleep 0.01; done");
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  const auto pids = ledger(host);
  ASSERT_EQ(pids.size(), 3U);
  for (const auto& pid : pids) EXPECT_TRUE(host.is_gone(std::stoi(pid))) << pid << " lives";
}

void the_time_limit_ends_a_task(ExecutorHost& host) {
  Session session{host};
  JobSpec spec{.name = "x", .run = host.shell("exec sleep 1000"), .workdir = host.scratch()};
  spec.time_limit = Duration{300};
  session.launch(kToken, std::move(spec));
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::time_limit);
  EXPECT_EQ(exit.signal, SIGTERM);
  EXPECT_FALSE(exit.forced);
}

void a_stop_after_the_end_changes_nothing(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "true");
  session.wait_end(kToken);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(1)});
  const Token last{JobId{2}, 1, 7};
  session.launch(last, "true");
  session.wait_end(last);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 1U);
  EXPECT_EQ(count<LaunchRefused>(session.seen(kToken)), 0U);
}

}  // namespace

std::vector<ExecutorTest> end_tests() {
  return {{"ExitCodesAreReported", exit_codes_are_reported},
          {"ASignalOfAnotherProcessIsReported", a_signal_of_another_process_is_reported},
          {"AStopAsksAndWaits", a_stop_asks_and_waits},
          {"TheStopSignalCanBeChosen", the_stop_signal_can_be_chosen},
          {"ATaskThatIgnoresTheSignalIsKilledAfterTheGrace", a_task_that_ignores_the_signal_is_killed_after_the_grace},
          {"ASecondStopShortensTheGrace", a_second_stop_shortens_the_grace},
          {"AStopReachesTheWholeGang", a_stop_reaches_the_whole_gang, Needs::nothing},
          {"AGangThatIgnoresTheSignalIsKilledAsAWhole", a_gang_that_ignores_the_signal_is_killed_as_a_whole},
          {"AStopForTheGangsFailureLeavesTheEndingAsItIs", a_stop_for_the_gangs_failure_leaves_the_ending_as_it_is},
          {"NothingOfATaskIsLeftWhenItsEndIsReported", nothing_of_a_task_is_left_when_its_end_is_reported},
          {"TheTimeLimitEndsATask", the_time_limit_ends_a_task, Needs::nothing},
          {"AStopAfterTheEndChangesNothing", a_stop_after_the_end_changes_nothing, Needs::nothing}};
}

}  // namespace ym::testing
