// Stops of real programs: with shells in front of them, and helpers beside them.
#include <csignal>
#include <fstream>

#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::describe;
using testing::is_gone;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

constexpr Duration kLong = seconds(60);
using Lines = std::vector<std::string>;

// Saves for two seconds after SIGTERM, like a training loop that finishes its step first.
constexpr const char* kTrain = R"(import os, signal, sys, time
stop = []
signal.signal(signal.SIGTERM, lambda number, frame: stop.append(number))
open("ready", "w").close()
while not stop:
    print("step", flush=True)
    time.sleep(0.02)
time.sleep(2)
print("the last words", flush=True)
with open("ledger", "a") as ledger:
    ledger.write(f"saved after {len(stop)}\n")
sys.exit(75)
)";

class LocalShell : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_python()) GTEST_SKIP() << "no python3 here";
    if (!std::filesystem::exists(GetParam())) GTEST_SKIP() << "no " << GetParam() << " here";
    std::ofstream(host_.scratch() / "train.py") << kTrain;
  }

  TaskExit stop_after_start(const std::string& script, Duration grace = kLong) {
    session_.launch(
        kToken,
        JobSpec{.name = "x", .run = {Program::Form::argv, {GetParam(), "-c", script}}, .workdir = host_.scratch()});
    wait_until("ready", [&] { return std::filesystem::exists(host_.scratch() / "ready"); });
    session_.executor().stop(kToken, {.cause = StopCause::preemption, .grace = grace});
    return session_.wait_end(kToken);
  }

  void expect_saved(const TaskExit& exit) {
    EXPECT_EQ(lines_of(host_.scratch() / "ledger"), Lines{"saved after 1"});
    EXPECT_EQ(exit.by, EndedBy::preempted) << exit.message;
    EXPECT_EQ(exit.exit_code, 75) << exit.message;
    EXPECT_FALSE(exit.forced);
  }

  TestHost host_;
  Session session_{host_};
};

TEST_P(LocalShell, OfManyLinesDiesAndItsCommandStillSaves) {
  expect_saved(stop_after_start("set -e\ncd .\npython3 train.py\necho after >> ledger\n"));
}

TEST_P(LocalShell, ThatReplacesItselfIsNotThereAnyMore) {
  expect_saved(stop_after_start("cd . && exec python3 train.py"));
}

TEST_P(LocalShell, WithATrapRunsItWhenItsCommandHasSaved) {
  const auto exit =
      stop_after_start("trap 'echo trapped >> ledger; exit 7' TERM\npython3 train.py\necho after >> ledger\n");
  EXPECT_EQ(lines_of(host_.scratch() / "ledger"), (Lines{"saved after 1", "trapped"}));
  EXPECT_EQ(exit.exit_code, 7);
  EXPECT_EQ(exit.by, EndedBy::preempted);
}

TEST_P(LocalShell, ThatEndsInItsTrapDoesNotTakeItsCommandAlong) {
  const auto exit = stop_after_start("trap 'exit 7' TERM\npython3 train.py & wait\n");
  EXPECT_EQ(lines_of(host_.scratch() / "ledger"), Lines{"saved after 1"});
  EXPECT_EQ(exit.exit_code, 7) << "what the shell says of itself";
}

// The command dies at once, and both get the signal at the same time.
TEST_P(LocalShell, DoesNotGoOnWithItsNextCommand) {
  for (std::uint64_t i = 1; i <= 20; ++i) {
    const Token token{JobId{i}, 1, 7};
    const std::string script = "echo > ready\nsleep 1000\necho after >> ledger\n";
    session_.launch(
        token,
        JobSpec{.name = "x", .run = {Program::Form::argv, {GetParam(), "-c", script}}, .workdir = host_.scratch()});
    wait_until("ready", [&] { return std::filesystem::exists(host_.scratch() / "ready"); });
    ::usleep(20'000);  // usually sleep has been started by then
    session_.executor().stop(token, {.cause = StopCause::preemption, .grace = kLong});
    const auto exit = session_.wait_end(token);
    EXPECT_EQ(exit.by, EndedBy::preempted);
    EXPECT_EQ(exit.signal, SIGTERM);
    std::filesystem::remove(host_.scratch() / "ready");
  }
  EXPECT_TRUE(lines_of(host_.scratch() / "ledger").empty());
}

TEST_P(LocalShell, BehindAShellIsNoHindrance) {
  std::ofstream(host_.scratch() / "inner.sh") << "cd .\npython3 train.py\necho after >> ledger\n";
  expect_saved(stop_after_start("sh inner.sh\necho after >> ledger\n"));
}

// A filter that got the signal would end, and the program would die of its next line.
TEST_P(LocalShell, OfAPipelineTheProgramSavesAndItsFilterTakesItsLastWords) {
  expect_saved(stop_after_start("python3 train.py 2>&1 | cat | tee copy\necho after >> ledger\n"));
  EXPECT_EQ(lines_of(host_.scratch() / "copy").back(), "the last words");
}

TEST_P(LocalShell, ThatDiesBuysItsCommandNoMoreThanTheGrace) {
  const auto exit = stop_after_start("trap '' TERM\n(echo $$ > ready; exec sleep 1000)\necho after >> ledger\n", {300});
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_TRUE(exit.forced);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_TRUE(lines_of(host_.scratch() / "ledger").empty());
}

INSTANTIATE_TEST_SUITE_P(Shells, LocalShell, ::testing::Values("/bin/dash", "/bin/bash"),
                         [](const auto& shell) { return std::string(shell.param).substr(5); });

// Two workers as in a data loader: the main process requests data from each until it has saved.
constexpr const char* kLoader = R"(import multiprocessing, os, signal, time
def work(pipe):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        pipe.send(os.getpid() + pipe.recv() * 0)
workers = []
for _ in range(2):
    ours, theirs = multiprocessing.Pipe()
    worker = multiprocessing.get_context("fork").Process(target=work, args=(theirs,), daemon=True)
    worker.start()
    workers.append((worker, ours))
stop = []
signal.signal(signal.SIGTERM, lambda number, frame: stop.append(number))
with open("workers", "w") as file:
    file.writelines(f"{worker.pid}\n" for worker, _ in workers)
open("ready", "w").close()
saved = False
while True:
    for worker, pipe in workers:
        pipe.send(0)
        assert pipe.recv() == worker.pid
    if stop and not saved:
        time.sleep(0.3)
        assert all(worker.is_alive() for worker, _ in workers)
        with open("ledger", "a") as ledger:
            ledger.write("saved with workers\n")
        saved = True
    time.sleep(0.01)
)";

TEST(LocalStop, DataLoadersLiveUntilTheDeadlineAndNotLonger) {
  if (!has_python()) GTEST_SKIP() << "no python3 here";
  TestHost host;
  std::ofstream(host.scratch() / "loader.py") << kLoader;
  Session session{host};
  session.launch(
      kToken, JobSpec{.name = "x", .run = {Program::Form::argv, {"python3", "loader.py"}}, .workdir = host.scratch()});
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = seconds(3)});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(lines_of(host.scratch() / "ledger"), Lines{"saved with workers"}) << session.log(kToken);
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_TRUE(exit.forced) << exit.message;
  for (const auto& pid : lines_of(host.scratch() / "workers")) EXPECT_TRUE(is_gone(std::stoi(pid))) << pid << " lives";
}

// The supervisor sleeps while user code ends, so that the stop reaches it first.
TEST(LocalStop, ATaskThatEndedByItselfBeforeTheStopWasNotStopped) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "echo $$ > pid; while [ ! -e go ]; do sleep 0.02; done; exit 6");
  session.wait_running(kToken);
  wait_until("a process", [&] { return !lines_of(host.scratch() / "pid").empty(); });
  const auto supervisor = host.claim(kToken)->supervisor.pid;
  ::kill(supervisor, SIGSTOP);
  std::ofstream(host.scratch() / "go").close();
  wait_until("the end", [&] { return is_gone(std::stoi(lines_of(host.scratch() / "pid").front())); });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = kLong});
  ::usleep(100'000);  // the line is on its way; otherwise this tests nothing
  ::kill(supervisor, SIGCONT);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::exit) << exit.message;
  EXPECT_EQ(exit.exit_code, 6);
}

TEST(LocalStop, TheNoticeIsOneThatTheTrainingSideReads) {
  if (!has_python()) GTEST_SKIP() << "no python3 here";
  TestHost host;
  std::ofstream(host.scratch() / "train.py") << R"(import os, sys, time
sys.path.insert(0, sys.argv[1])
from yardmaster._training.environment import Environment
from yardmaster._training.notice import NoticeWatch
from yardmaster._training.trouble import Trouble
watch = NoticeWatch(Environment.read(os.environ), Trouble())
open("ready", "w").close()
while watch.get() is None:
    time.sleep(0.02)
notice = watch.get()
print(notice.reason, notice.grace_seconds, 0 < notice.deadline.timestamp() - time.time() <= 60)
)";
  Session session{host};
  session.launch(kToken, JobSpec{.name = "x",
                                 .run = {Program::Form::argv, {"python3", "train.py", YM_SOURCE_DIR "/sdk/python"}},
                                 .workdir = host.scratch()});
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  // Python ignores this signal: only the notice tells user code to stop.
  session.executor().stop(kToken, {.cause = StopCause::preemption, .signal = "SIGURG", .grace = kLong});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(session.log(kToken), "preemption 60.0 True\n");
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_EQ(exit.exit_code, 0);
}

}  // namespace
}  // namespace ym::local
