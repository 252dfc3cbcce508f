#include <algorithm>
#include <chrono>
#include <thread>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};

void the_same_token_twice_runs_once(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, note("ran"));
  session.launch(kToken, note("ran"));
  session.wait_end(kToken);
  session.launch(kToken, note("ran"));
  // Observations are in order: a second launch would have an answer before this one.
  const Token last{JobId{2}, 1, 7};
  session.launch(last, "true");
  session.wait_end(last);
  if (host.runs_programs()) EXPECT_EQ(ledger(host), std::vector<std::string>{"ran"});
  EXPECT_EQ(count<LaunchAccepted>(session.seen(kToken)), 1U);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 1U);
}

void observations_come_in_the_order_of_life(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "true");
  session.wait_end(kToken);
  auto seen = session.seen(kToken);
  // Only for tasks on other machines.
  std::erase_if(seen, [](const Observation& o) { return std::holds_alternative<GangIsWaiting>(o.what); });
  ASSERT_EQ(seen.size(), 4U) << describe(seen);
  EXPECT_TRUE(std::holds_alternative<LaunchAccepted>(seen[0].what));
  EXPECT_TRUE(std::holds_alternative<LaunchPreparing>(seen[1].what));
  EXPECT_TRUE(std::holds_alternative<TaskIsRunning>(seen[2].what));
  EXPECT_TRUE(std::holds_alternative<TaskHasEnded>(seen[3].what));
}

void a_gang_starts_in_every_task(ExecutorHost& host) {
  Session session{host};
  // Each waits for all the others: only a complete gang gets to the end.
  session.launch(kToken, "touch here.$YM_NODE_RANK; while [ $(ls here.* | wc -l) -lt 4 ]; do sleep 0.01; done", 4);
  const auto exits = session.wait_ended(kToken, 4);
  for (const auto& exit : exits) EXPECT_EQ(exit.exit_code, 0);
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 4U);
}

// The existing tasks wait at the launch barrier.
void no_task_begins_before_the_last_is_there(ExecutorHost& host) {
  if (!host.begin_no_more_than(2)) GTEST_SKIP() << "all tasks of a gang begin at once here";
  Session session{host};
  JobSpec spec{.name = "gang", .run = host.shell(note("ran")), .workdir = host.scratch(), .nodes = 3};
  TaskResources more;
  more.memory_bytes = 96 * (std::int64_t{1} << 20);
  spec.groups = {{.name = "first", .nodes = 2, .run = spec.run}, {.name = "last", .resources = more, .run = spec.run}};
  session.launch(kToken, std::move(spec));
  session.wait(kToken, "at the launch barrier", [](const auto& seen) { return count<LaunchPreparing>(seen) > 0; });
  std::this_thread::sleep_for(std::chrono::seconds(3));
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
  EXPECT_TRUE(ledger(host).empty());
  host.begin_no_more_than(std::nullopt);
  for (const auto& exit : session.wait_ended(kToken, 3)) EXPECT_EQ(exit.exit_code, 0);
  EXPECT_EQ(ledger(host).size(), 3U);
}

void a_stop_before_the_launch_closes_the_barrier(ExecutorHost& host) {
  Session session{host};
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(1)});
  session.wait_refused(kToken);
  session.launch(kToken, note("ran"));
  session.wait(kToken, "refused twice", [](const auto& seen) { return count<LaunchRefused>(seen) == 2; });
  for (const auto& observation : session.seen(kToken))
    if (const auto* refused = std::get_if<LaunchRefused>(&observation.what)) EXPECT_FALSE(refused->permanent);
  EXPECT_TRUE(ledger(host).empty());
}

void a_stop_before_the_launch_outlives_a_restart(ExecutorHost& host) {
  const StopRequest stop{.cause = StopCause::cancel, .grace = seconds(1)};
  {
    Session session{host};
    session.executor().stop(kToken, stop);
    session.wait_refused(kToken);
  }
  // Otherwise this does what control does after a restart: it names live attempts, and the ones to stop.
  const bool keeps = host.keeps_state();
  Session session{host, keeps ? std::vector<Token>{} : std::vector<Token>{kToken}};
  if (!keeps) session.executor().stop(kToken, stop);
  session.launch(kToken, note("ran"));
  session.wait(kToken, "over", [&](const auto& seen) {
    const auto over = count<TaskHasEnded>(seen) + count<TokenIsUnknown>(seen);
    return count<LaunchRefused>(seen) + (keeps ? 0 : over) > 0;
  });
  EXPECT_TRUE(ledger(host).empty());
}

void each_group_runs_its_own_program(ExecutorHost& host) {
  Session session{host};
  JobSpec spec{.name = "groups", .run = host.shell("true"), .workdir = host.scratch(), .nodes = 3};
  spec.groups = {
      {.name = "a", .nodes = 2, .run = host.shell("echo $YM_GROUP $YM_GROUP_RANK $YM_NODE_RANK >> ledger")},
      {.name = "b", .run = host.shell("echo $YM_GROUP $ROLE $YM_NODE_RANK >> ledger"), .env = {{"ROLE", "x"}}}};
  session.launch(kToken, std::move(spec));
  for (const auto& exit : session.wait_ended(kToken, 3)) EXPECT_EQ(exit.exit_code, 0);
  auto lines = ledger(host);
  std::ranges::sort(lines);
  EXPECT_EQ(lines, (std::vector<std::string>{"a 0 0", "a 1 1", "b x 2"}));
}

// Whatever wins the race: it never happens that user code starts and the stop is forgotten.
void a_stop_right_behind_the_launch_is_not_forgotten(ExecutorHost& host) {
  Session session{host};
  for (std::uint64_t i = 1; i <= 10; ++i) {
    const Token token{JobId{i}, 1, 7};
    session.launch(token, "exec sleep 1000");
    session.executor().stop(token, {.cause = StopCause::cancel, .grace = seconds(30)});
    session.wait(token, "refused or ended",
                 [](const auto& seen) { return count<LaunchRefused>(seen) + count<TaskHasEnded>(seen) > 0; });
    for (const auto& observation : session.seen(token)) {
      const auto* ended = std::get_if<TaskHasEnded>(&observation.what);
      if (!ended) continue;
      EXPECT_TRUE(ended->exit.by == EndedBy::cancelled || ended->exit.by == EndedBy::start_failed)
          << describe(session.seen(token));
    }
  }
}

void a_program_that_is_not_there_is_a_permanent_failure(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, JobSpec{.name = "x", .run = {Program::Form::argv, {"/no/such"}}, .workdir = host.scratch()});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_TRUE(exit.permanent);
  EXPECT_NE(exit.message.find("/no/such: No such file or directory"), std::string::npos) << exit.message;
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 0U);
}

void a_working_directory_that_is_not_there_is_a_permanent_failure(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, JobSpec{.name = "x", .run = host.shell("true"), .workdir = "/no/such"});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_TRUE(exit.permanent);
  EXPECT_NE(exit.message.find("/no/such"), std::string::npos) << exit.message;
}

void fields_are_never_read_by_a_shell(ExecutorHost& host) {
  Session session{host};
  const std::string evil = "$(touch evil) `touch evil`; touch evil\n#SBATCH --uid=0\n'\"\\ end";
  JobSpec spec{.name = evil, .workdir = host.scratch(), .env = {{"EVIL", evil}}};
  spec.run = {Program::Form::argv, {"sh", "-c", "printf '%s|' \"$1\" \"$EVIL\" \"$YM_JOB_NAME\"", "x", evil}};
  session.launch(kToken, std::move(spec));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(session.log(kToken), evil + "|" + evil + "|" + evil + "|");
  EXPECT_FALSE(std::filesystem::exists(host.scratch() / "evil"));
}

void many_attempts_at_once(ExecutorHost& host) {
  Session session{host};
  const auto many = static_cast<std::uint64_t>(host.many());
  for (std::uint64_t i = 1; i <= many; ++i) session.launch(Token{JobId{i}, 1, 7}, note(std::to_string(i)));
  for (std::uint64_t i = 1; i <= many; ++i) {
    const Token token{JobId{i}, 1, 7};
    EXPECT_EQ(session.wait_end(token).exit_code, 0);
    session.executor().release(token);
  }
  if (!host.runs_programs()) return;
  auto ran = ledger(host);
  EXPECT_EQ(ran.size(), many);
  std::ranges::sort(ran);
  EXPECT_TRUE(std::ranges::adjacent_find(ran) == ran.end());
}

void the_inventory_names_nodes(ExecutorHost& host) {
  Session session{host};
  const auto nodes = session.executor().inventory();
  ASSERT_TRUE(nodes.has_value());
  ASSERT_FALSE(nodes->empty());
  for (const auto& node : *nodes) EXPECT_FALSE(node.name.empty());
}

}  // namespace

std::vector<ExecutorTest> start_tests() {
  return {{"TheSameTokenTwiceRunsOnce", the_same_token_twice_runs_once, Needs::nothing},
          {"ObservationsComeInTheOrderOfLife", observations_come_in_the_order_of_life, Needs::nothing},
          {"AGangStartsInEveryTask", a_gang_starts_in_every_task, Needs::nothing},
          {"NoTaskBeginsBeforeTheLastIsThere", no_task_begins_before_the_last_is_there},
          {"EachGroupRunsItsOwnProgram", each_group_runs_its_own_program},
          {"AStopBeforeTheLaunchClosesTheBarrier", a_stop_before_the_launch_closes_the_barrier, Needs::nothing},
          {"AStopBeforeTheLaunchOutlivesARestart", a_stop_before_the_launch_outlives_a_restart, Needs::nothing},
          {"AStopRightBehindTheLaunchIsNotForgotten", a_stop_right_behind_the_launch_is_not_forgotten, Needs::nothing},
          {"AProgramThatIsNotThereIsAPermanentFailure", a_program_that_is_not_there_is_a_permanent_failure},
          {"AWorkingDirectoryThatIsNotThereIsAPermanentFailure",
           a_working_directory_that_is_not_there_is_a_permanent_failure},
          {"FieldsAreNeverReadByAShell", fields_are_never_read_by_a_shell},
          {"ManyAttemptsAtOnce", many_attempts_at_once, Needs::nothing},
          {"TheInventoryNamesNodes", the_inventory_names_nodes, Needs::nothing}};
}

}  // namespace ym::testing
