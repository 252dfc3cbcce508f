#include "executor/local/attempt/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "executor/local/attempt/process_tree.h"
#include "executor/local/attempt/signals.h"

namespace ym::local {
namespace {

TEST(Process, ANameMayHoldAnything) {
  const auto stat = parse_stat("42 (a) b (S 1) R 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 9876 1 2");
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->pid, 42);
  EXPECT_EQ(stat->parent, 7);
  EXPECT_EQ(stat->session, 9);
  EXPECT_EQ(stat->state, 'R');
  EXPECT_EQ(stat->start_ticks, 9876U);
  EXPECT_TRUE(stat->executed);
  EXPECT_EQ(stat->threads, 1);
  EXPECT_FALSE(parse_stat("42 (a) R 7 8 9 0 -1 4194624 1 2 3 4 5 6 7 8 20 0 1 0 9876 1 2")->executed) << "by its flags";
  EXPECT_FALSE(parse_stat("42 (cut) R 7").has_value());
  EXPECT_FALSE(parse_stat("").has_value());
}

TEST(Process, WeAreAlive) {
  const auto self = identity_of(::getpid());
  ASSERT_TRUE(self.has_value());
  EXPECT_TRUE(alive(*self));
}

TEST(Process, ANumberOfAnotherTimeIsAnotherProcess) {
  auto reused = *identity_of(::getpid());
  ++reused.start_ticks;
  EXPECT_FALSE(alive(reused));
  auto before_reboot = *identity_of(::getpid());
  before_reboot.boot = "another";
  EXPECT_FALSE(alive(before_reboot));
}

TEST(Process, AZombieIsDeadOnceItsThreadsAre) {
  EXPECT_TRUE((ProcessStat{.state = 'Z', .threads = 1}).dead());
  EXPECT_FALSE((ProcessStat{.state = 'Z', .threads = 2}).dead());
  EXPECT_TRUE((ProcessStat{.state = 'X', .threads = 2}).dead());
  EXPECT_FALSE((ProcessStat{.state = 'D', .threads = 1}).dead());
}

TEST(Process, ASignalNeverHitsTheNextOfTheSameNumber) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  auto stale = *read_stat(child);
  ++stale.start_ticks;
  EXPECT_FALSE(signal_exactly(stale, SIGKILL));
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), 0);
  EXPECT_TRUE(signal_exactly(*read_stat(child), SIGKILL));
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(ProcessTree, FindsChildrenOfChildren) {
  const std::vector<ProcessStat> all{{.pid = 1, .parent = 0}, {.pid = 5, .parent = 1},
                                     {.pid = 6, .parent = 5}, {.pid = 7, .parent = 6},
                                     {.pid = 8, .parent = 1}, {.pid = 9, .parent = 5, .state = 'Z'}};
  std::vector<pid_t> pids;
  for (const auto& process : descendants(5, all)) pids.push_back(process.pid);
  EXPECT_THAT(pids, ::testing::UnorderedElementsAre(6, 7));
}

TEST(ProcessTree, AParentsCircleEnds) {
  const std::vector<ProcessStat> all{{.pid = 5, .parent = 6}, {.pid = 6, .parent = 5}};
  EXPECT_EQ(descendants(5, all).size(), 1U);
}

TEST(Signals, HaveNames) {
  EXPECT_EQ(parse_signal("SIGTERM"), SIGTERM);
  EXPECT_EQ(parse_signal("USR1"), SIGUSR1);
  EXPECT_EQ(parse_signal("SIGNOPE"), std::nullopt);
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
}

// A zombie shows it too. Its pipe is closed by then, as after exec.
TEST(Process, AProcessThatDiedBeforeItExecutedAProgramIsKnown) {
  for (const bool executes : {false, true}) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (executes) ::execl("/bin/true", "true", nullptr);
      ::_exit(1);
    }
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(read_stat(child)->executed, executes);
    ::waitpid(child, nullptr, 0);
  }
}

}  // namespace
}  // namespace ym::local
