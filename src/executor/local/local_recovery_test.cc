// What a server finds after it was down.
#include <csignal>
#include <fstream>

#include "base/testing/sentences.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/record.h"
#include "executor/local/cleanup/leftovers.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

// The folder as the executor leaves it just before it starts the supervisors.
Fd make_accepted(TestHost& host, int tasks = 1) {
  const LaunchRecord launch{.token = kToken,
                            .tasks = tasks,
                            .argv = {"/bin/sh", "-c", "echo ran >> ledger"},
                            .task_env = std::vector<std::vector<std::string>>(static_cast<std::size_t>(tasks)),
                            .workdir = host.scratch(),
                            .start_timeout = seconds(60),
                            .log_cap = 1000};
  for (int task = 0; task < tasks; ++task) std::filesystem::create_directories(host.folder(kToken, task));
  auto folder = *open_folder(AT_FDCWD, host.folder(kToken));
  EXPECT_TRUE(write_durably(folder.get(), kLaunchFile, encode(launch)));
  return folder;
}

TEST(LocalRecovery, AnAcceptedLaunchIsTakenUp) {
  TestHost host;
  make_accepted(host, 2);
  Session session{host, {kToken}};
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.exit_code, 0);
  EXPECT_EQ(count<TokenIsUnknown>(session.seen(kToken)), 0U);
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 2U);
}

// As a server has left it that died after it had started this supervisor.
void start_supervisor(const TestHost& host, const std::string& program, int task) {
  const auto line = program + " " + host.folder(kToken, task).string() + " > /dev/null 2>&1 &";
  ASSERT_EQ(std::system(line.c_str()), 0);
}

void wait_at_barrier(const TestHost& host, int task) {
  start_supervisor(host, host.options.supervisor.string(), task);
  wait_until("a claim", [&] { return host.claim(kToken, task).has_value(); });
}

TEST(LocalRecovery, AGangOfWhichOneTaskWaitsAtTheBarrierGoesOn) {
  TestHost host;
  make_accepted(host, 3);
  wait_at_barrier(host, 1);
  Session session{host, {kToken}};
  for (const auto& exit : session.wait_ended(kToken, 3)) EXPECT_EQ(exit.exit_code, 0) << exit.message;
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 3U);
}

// While the stop arrives, the supervisor of task 0 can neither answer nor end.
TEST(LocalRecovery, AStoppedGangOfWhichOneTaskWaitsAtTheBarrierEndsAtOnce) {
  TestHost host;
  host.options.settle = seconds(60);
  make_accepted(host, 2);
  wait_at_barrier(host, 0);
  Session session{host, {kToken}};
  session.wait(kToken, "at the barrier", [](const auto& seen) { return count<LaunchPreparing>(seen) == 1; });
  host.cut_contact(kToken, true);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(60)});
  const Token next{JobId{2}, 1, 7};
  session.launch(next, "true");
  session.wait_end(next);
  host.cut_contact(kToken, false);
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.by, EndedBy::start_failed) << exit.message;
  EXPECT_EQ(count<ContactIsLost>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

// The dead server had started it. It may still claim its task.
TEST(LocalRecovery, ASupervisorThatHasNotClaimedItsTaskYetIsWaitedFor) {
  if (!has_python()) GTEST_SKIP() << "no python3 here";
  TestHost host;
  make_accepted(host, 2);
  wait_at_barrier(host, 0);
  std::ofstream(host.folder(kToken, 1) / "__main__.py") << "import time; time.sleep(100)\n";
  start_supervisor(host, "python3", 1);
  const auto slow = [&] { return look_for_living().value().supervisor_of(kToken.key(), 1, host.state()); };
  wait_until("it lives", [&] { return slow().has_value(); });
  Session session{host, {kToken}};
  session.wait(kToken, "out of contact", [](const auto& seen) { return count<ContactIsLost>(seen) > 0; });
  EXPECT_FALSE(host.claim(kToken, 1).has_value());
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
  signal_exactly(*slow(), SIGKILL);
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.exit_code, 0) << exit.message;
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 2U);
}

// The list of processes may have missed it.
TEST(LocalRecovery, ASupervisorThatComesLateFindsItsTaskTaken) {
  TestHost host;
  make_accepted(host, 2);
  wait_at_barrier(host, 0);
  Session session{host, {kToken}};
  session.wait_ended(kToken, 2);
  const auto late = host.options.supervisor.string() + " " + host.folder(kToken, 1).string();
  EXPECT_EQ(std::system(late.c_str()), 0);
  EXPECT_EQ(lines_of(host.scratch() / "ledger").size(), 2U);
}

TEST(LocalRecovery, AStopComesBeforeAnAcceptedLaunchIsTakenUp) {
  TestHost host;
  host.options.settle = seconds(5);
  make_accepted(host);
  Session session{host, {kToken}};
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = seconds(1)});
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::start_failed);
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalRecovery, OnlyTheTokenThatWasLaunchedIsFound) {
  TestHost host;
  make_accepted(host);
  const Token other{kToken.job, kToken.attempt, kToken.epoch + 1};
  Session session{host, {other}};
  session.wait_refused(other);
  session.launch(other, "echo ran >> ledger");
  session.wait(other, "refused twice", [](const auto& seen) { return count<LaunchRefused>(seen) == 2; });
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalRecovery, ADamagedLaunchRecordNeverStarts) {
  TestHost host;
  make_accepted(host);
  std::filesystem::resize_file(host.folder(kToken) / kLaunchFile, 50);
  Session session{host, {kToken}};
  session.wait_refused(kToken);
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalRecovery, ADamagedLaunchRecordDoesNotHideWhatRuns) {
  TestHost host;
  {
    Session session{host};
    session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; exit 4", 2);
    session.wait_running(kToken, 2);
  }
  std::filesystem::resize_file(host.folder(kToken) / kLaunchFile, 50);
  Session session{host, {kToken}};
  session.wait_running(kToken, 2);
  std::ofstream(host.scratch() / "go").close();
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.exit_code, 4);
}

// The claim and the record of the leader name a process that lives: this test. Before the reboot the pid belonged to
// another process.
TEST(LocalRecovery, AfterARebootItIsLostAndNoProcessIsKilled) {
  TestHost host;
  const auto attempt = make_accepted(host);
  const auto task = open_folder(attempt.get(), "0");
  auto gone = *identity_of(::getpid());
  gone.boot = "of another time";
  const Claim claim{.token = kToken, .task = 0, .nonce = new_nonce(), .supervisor = gone};
  ASSERT_TRUE(take_claim(task->get(), claim).value());
  ASSERT_EQ(decide(attempt.get(), kGo).value(), kGo);
  ASSERT_TRUE(write_started(task->get(), claim, gone, {}));
  Session session{host, {kToken}};
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::lost);
  ym::testing::expect_sentence(exit.message);
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalRecovery, AReusedProcessNumberIsNoTaskOfOurs) {
  TestHost host;
  const auto attempt = make_accepted(host);
  const auto task = open_folder(attempt.get(), "0");
  auto gone = *identity_of(::getpid());
  --gone.start_ticks;  // of this boot, but gone; the pid is this process's now
  const Claim claim{.token = kToken, .task = 0, .nonce = new_nonce(), .supervisor = gone};
  ASSERT_TRUE(take_claim(task->get(), claim).value());
  ASSERT_EQ(decide(attempt.get(), kGo).value(), kGo);
  ASSERT_TRUE(write_started(task->get(), claim, gone, {}));
  Session session{host, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
}

TEST(LocalRecovery, AClaimThatCannotBeReadIsNeverHandedOn) {
  TestHost host;
  const auto attempt = make_accepted(host);
  std::ofstream(host.folder(kToken, 0) / kClaimFile) << "yardmaster claim 1\n";
  Session session{host, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::start_failed);
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

TEST(LocalRecovery, ALongPathIsNoHindrance) {
  TestHost outer;
  const auto deep = outer.scratch() / std::string(120, 'd') / std::string(120, 'e');
  std::filesystem::create_directories(deep);
  TestHost host{deep};
  {
    Session session{host};
    session.launch(kToken, "while [ ! -e go ]; do sleep 0.02; done; exit 4");
    session.wait_running(kToken);
  }
  Session session{host, {kToken}};
  session.wait_running(kToken);
  std::ofstream(host.scratch() / "go").close();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
}

// A server may die between storing the end and marking it.
TEST(LocalRecovery, AnEndThatWasNeverReleasedIsMarkedAtTheNextStart) {
  TestHost host;
  const Token running{JobId{2}, 1, 7}, live{JobId{3}, 1, 7};
  {
    Session session{host};
    session.launch(running, "while [ ! -e go ]; do sleep 0.02; done");
    for (const auto& token : {kToken, live}) {
      session.launch(token, "true");
      session.wait_end(token);
    }
    session.wait_running(running);
  }
  Session session{host, {live}};
  wait_until("marked", [&] { return std::filesystem::exists(host.folder(kToken) / kReleasedFile); });
  session.wait_end(live);
  for (const auto& token : {running, live}) EXPECT_FALSE(std::filesystem::exists(host.folder(token) / kReleasedFile));
  session.executor().release(live);
  wait_until("released", [&] { return std::filesystem::exists(host.folder(live) / kReleasedFile); });
  std::ofstream(host.scratch() / "go").close();
}

TEST(LocalRecovery, OfATokenWithoutATraceItIsKnownWhetherSomethingLives) {
  // The search covers the whole machine, where the same tests may run at the same time.
  const Token mine{JobId{static_cast<std::uint64_t>(::getpid())}, 1, 7};
  const Token never{JobId{mine.job.value << 1}, 1, 7};
  TestHost host;
  {
    Session session{host};
    session.launch(mine, "while [ ! -e go ]; do sleep 0.02; done");
    session.wait_running(mine);
  }
  const auto supervisor = host.claim(mine)->supervisor;
  std::filesystem::rename(host.state() / kAttemptsFolder, host.state() / "moved");
  const auto nothing_lives = [&](const Token& token) {
    Session session{host, {token}};
    session.wait_unknown(token);
    return std::get<TokenIsUnknown>(session.seen(token).back().what).nothing_lives;
  };
  EXPECT_TRUE(nothing_lives(never));
  EXPECT_FALSE(nothing_lives(mine));
  std::ofstream(host.scratch() / "go").close();
  wait_until("gone", [&] { return !alive(supervisor); });
  EXPECT_TRUE(nothing_lives(mine));
}

// After a backup was restored, the state uses the number of an attempt again.
TEST(LocalRecovery, AnotherLaunchOfTheSameAttemptKeepsItsDevicesAsLongAsItLives) {
  const Token first{JobId{1}, 1, 7}, second{JobId{1}, 1, 8};
  TestHost host;
  host.options.retry_pause = Duration{100};
  Session session{host};
  session.launch(first, "while [ ! -e go ]; do sleep 0.02; done");
  session.wait_running(first);
  session.launch(second, "true");
  const auto saw = [&](auto what) {
    const auto seen = session.seen(second);
    return std::ranges::any_of(seen, [](const auto& o) { return std::holds_alternative<decltype(what)>(o.what); });
  };
  wait_until("word of the first", [&] { return saw(ContactIsLost{}); });
  EXPECT_FALSE(saw(LaunchRefused{})) << "the devices are not free yet";
  std::ofstream(host.scratch() / "go").close();
  session.wait_end(first);
  wait_until("the refusal", [&] { return saw(LaunchRefused{}); });
  session.executor().release(second);
  session.executor().release(first);
  wait_until("the mark of the first", [&] { return std::filesystem::exists(host.folder(first) / kReleasedFile); });
}

TEST(LocalRecovery, AttemptsThatAreNotLiveAreNotVisited) {
  TestHost host;
  make_accepted(host);
  const Token other{JobId{2}, 1, 7};
  Session session{host, {other}};
  session.launch(other, "true");
  session.wait_end(other);
  EXPECT_TRUE(session.seen(kToken).empty());
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

}  // namespace
}  // namespace ym::local
