#include "executor/local/cleanup/leftovers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"
#include "executor/local/testing/descriptors.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

constexpr Token kRemainsToken{JobId{77}, 1, 3};

constexpr const char* kState = "0123";

// These tests run in parallel processes: each looks for its own nonce.
const std::string& nonce() {
  static const std::string own = "aabb" + std::to_string(::getpid());
  return own;
}

std::string environ_of(const std::vector<std::string>& entries) {
  std::string text;
  for (const auto& entry : entries) text += entry + std::string(1, '\0');
  return text;
}

std::string environ_with(const std::string& token, const std::string& rank, const std::string& state = kState) {
  return environ_of({"PATH=/bin", "YM_LAUNCH_TOKEN=" + token, "YM_NODE_RANK=" + rank, "YM_LAUNCH_STATE=" + state});
}

Claim claim_of(std::int32_t task, std::int64_t version = 2) {
  return {.version = version, .token = kRemainsToken, .task = task, .nonce = nonce()};
}

TEST(Leftovers, TheClaimsNonceAloneCounts) {
  EXPECT_TRUE(carries_mark(environ_of({"A=b", "YM_LAUNCH_NONCE=" + nonce()}), claim_of(0), kState));
  EXPECT_FALSE(carries_mark(environ_of({"YM_LAUNCH_NONCE=" + nonce() + "c"}), claim_of(0), kState));
  EXPECT_FALSE(carries_mark(environ_of({"X_YM_LAUNCH_NONCE=" + nonce()}), claim_of(0), kState));
  EXPECT_FALSE(carries_mark(environ_with(to_string(kRemainsToken), "0"), claim_of(0), kState))
      << "perhaps another server's";
  EXPECT_FALSE(carries_mark("", claim_of(0), kState));
}

TEST(Leftovers, WithoutAReadableClaimTokenRankAndStateCountTogether) {
  const auto token = to_string(kRemainsToken);
  const auto unread = [](std::int32_t task) { return claim_of(task, 0); };
  EXPECT_TRUE(carries_mark(environ_with(token, "1"), unread(1), kState));
  EXPECT_FALSE(carries_mark(environ_with(token, "1"), unread(0), kState));
  EXPECT_FALSE(carries_mark(environ_with(token, "11"), unread(1), kState));
  EXPECT_FALSE(carries_mark(environ_with(token + "1", "1"), unread(1), kState));
  EXPECT_FALSE(carries_mark(environ_with(token, "1", "another"), unread(1), kState));
}

TEST(Leftovers, AWipedEnvironmentIsNone) {
  EXPECT_TRUE(wiped(""));
  EXPECT_TRUE(wiped(std::string(100, '\0')));
  EXPECT_TRUE(wiped("my worker: idle" + std::string(1, '\0') + "A=b"));
  EXPECT_FALSE(wiped("PATH=/bin" + std::string(1, '\0')));
}

// A process that sleeps in its own session, with this environment.
class Sleeper {
 public:
  explicit Sleeper(std::vector<std::string> env) {
    std::vector<char*> pointers;
    for (auto& entry : env) pointers.push_back(entry.data());
    pointers.push_back(nullptr);
    std::array<std::string, 2> words{"sleep", "1000"};
    const std::array<char*, 3> argv{words[0].data(), words[1].data(), nullptr};
    pid = ::fork();
    if (pid == 0) {
      ::setsid();
      ::execve("/bin/sleep", argv.data(), pointers.data());
      ::_exit(1);
    }
    // Until exec it still has this process's environment.
    while (!sleeps()) ::usleep(1000);
  }
  ~Sleeper() {
    ::kill(pid, SIGKILL);
    if (!reaped_) ::waitpid(pid, nullptr, 0);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  bool wait_killed() {
    int status = 0;
    reaped_ = ::waitpid(pid, &status, 0) == pid;
    return reaped_ && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }
  bool lives() const { return alive(*identity_of(pid)); }
  pid_t pid = 0;

 private:
  bool sleeps() const {
    const auto path = "/proc/" + std::to_string(pid) + "/cmdline";
    return read_bytes(AT_FDCWD, path.c_str(), 4096).value_or("").ends_with(std::string("1000") + '\0');
  }
  bool reaped_ = false;
};

TEST(Leftovers, FindsItsOwnProcessesAlone) {
  const auto token = to_string(kRemainsToken);
  Sleeper ours{{"YM_LAUNCH_TOKEN=" + token, "YM_NODE_RANK=0", "YM_LAUNCH_NONCE=" + nonce()}};
  const Sleeper sibling{{"YM_LAUNCH_TOKEN=" + token, "YM_NODE_RANK=0", "YM_LAUNCH_NONCE=ccdd"}};
  const Sleeper other{{"PATH=/bin"}};
  EXPECT_EQ(kill_leftovers(claim_of(0), std::nullopt, kState), 1U);
  EXPECT_TRUE(ours.wait_killed());
  EXPECT_EQ(kill_leftovers(claim_of(0), std::nullopt, kState), 0U);
  EXPECT_TRUE(sibling.lives());
  EXPECT_TRUE(other.lives());
}

TEST(Leftovers, ALeadersNumberAloneIsNoReasonToKill) {
  Sleeper sleeper{{"PATH=/bin"}};
  auto leader = *identity_of(sleeper.pid);
  ++leader.start_ticks;  // another process has this pid now
  EXPECT_EQ(kill_leftovers(claim_of(0), leader, kState), 0U);
  EXPECT_TRUE(sleeper.lives());
  --leader.start_ticks;
  EXPECT_EQ(kill_leftovers(claim_of(0), leader, kState), 1U);
  EXPECT_TRUE(sleeper.wait_killed());
}

TEST(Leftovers, AWipedEnvironmentInTheLeadersSessionIsOurs) {
  Sleeper sleeper{{}};
  EXPECT_EQ(kill_leftovers(claim_of(0), ProcessIdentity{boot_id(), sleeper.pid, 1}, kState), 1U);
  EXPECT_TRUE(sleeper.wait_killed());
}

// The main thread of Python ends, as if a kill had reached it while another thread hangs in a driver.
TEST(Leftovers, AZombieWithAThreadIsFoundAndKilled) {
  if (!has_python()) GTEST_SKIP() << "python3 is not here";
  const auto program =
      "import ctypes, threading, time\n"
      "threading.Thread(target=time.sleep, args=(1000,)).start()\n"
      "ctypes.CDLL(None).syscall(" +
      std::to_string(SYS_exit) + ", 0)";
  const std::string own = nonce();
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("YM_LAUNCH_NONCE", own.c_str(), 1);
    ::execlp("python3", "python3", "-c", program.c_str(), nullptr);
    ::_exit(1);
  }
  while (read_stat(child)->state != 'Z') ::usleep(1000);
  EXPECT_TRUE(alive(*identity_of(child)));
  EXPECT_EQ(kill_leftovers(claim_of(0), std::nullopt, kState), 1U);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(Leftovers, WhatCannotBeLookedAtIsNotGone) {
  const Sleeper ours{{"YM_LAUNCH_NONCE=" + nonce()}};
  const auto self = identity_of(::getpid());
  {
    const ym::testing::NoDescriptors none;
    EXPECT_FALSE(kill_leftovers(claim_of(0), std::nullopt, kState).has_value());
    EXPECT_FALSE(look_for_living().has_value());
    EXPECT_FALSE(all_processes().has_value());
    EXPECT_FALSE(look_at(::getpid()).has_value());
    EXPECT_FALSE(lives(*self).has_value());
    EXPECT_FALSE(boot_id().empty());
  }
  EXPECT_TRUE(ours.lives());
}

// Pipes in a state directory; a program that opens one blocks.
class StateOf {
 public:
  StateOf() : path_(std::filesystem::path(::testing::TempDir()) / ("state" + std::to_string(::getpid()))) {}
  ~StateOf() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  // In the folder of task 0; without a name, in place of the folder.
  std::string pipe(const Token& token, const std::string& name = {}) const {
    auto path = path_ / attempt_path(token.key()) / "0";
    if (!name.empty()) path /= name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

 private:
  const std::filesystem::path path_;
};

// A program with a path as its only argument, like a supervisor.
class RunningProgram {
 public:
  explicit RunningProgram(const std::string& path) : pid_(::fork()) {
    if (pid_ == 0) {
      ::execlp("cat", "cat", path.c_str(), nullptr);
      ::_exit(127);
    }
    const auto words = "/proc/" + std::to_string(pid_) + "/cmdline";
    testing::wait_until("cat",
                        [&] { return read_file(AT_FDCWD, words.c_str(), 4096).value_or("").starts_with("cat"); });
  }
  ~RunningProgram() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  bool lives() const { return read_stat(pid_) && !read_stat(pid_)->dead(); }

 private:
  const pid_t pid_;
};

TEST(Leftovers, TheLivingAreFoundByTokenAndByTheirSupervisor) {
  const Token other{JobId{78}, 1, 3};
  const Sleeper user_code{{"YM_LAUNCH_TOKEN=" + to_string(kRemainsToken)}};
  const StateOf state;
  const RunningProgram supervisor{state.pipe(other)};
  const auto living = look_for_living();
  ASSERT_TRUE(living.has_value());
  EXPECT_TRUE(living->has(kRemainsToken, state.path()));
  EXPECT_TRUE(living->has(other, state.path()));
  EXPECT_TRUE(living->supervisor_of(other.key(), 0, state.path()));
  EXPECT_FALSE(living->supervisor_of(other.key(), 1, state.path()));
  EXPECT_EQ(living->supervised_tasks(other.key(), state.path()), std::set<std::int32_t>{0});
  EXPECT_TRUE(living->supervised_tasks(kRemainsToken.key(), state.path()).empty());
  EXPECT_FALSE(living->has(Token{JobId{79}, 1, 3}, state.path()));
  EXPECT_FALSE(living->has(other, "/y/state")) << "every server has its job 1";
  EXPECT_TRUE(living->has(kRemainsToken, "/y/state")) << "the folder may have been moved";
  EXPECT_FALSE(living->is_launch_of(kRemainsToken, kState));
}

// For example a person with `tail -f`: it neither keeps an attempt alive nor is killed with it.
TEST(Leftovers, AProcessThatReadsALogIsNoSupervisor) {
  const StateOf state;
  const RunningProgram reader{state.pipe(kRemainsToken, "log")};
  const auto living = look_for_living();
  ASSERT_TRUE(living);
  EXPECT_FALSE(living->is_supervised(kRemainsToken.key(), state.path()));
  living->kill(kRemainsToken, state.path(), kState);
  EXPECT_TRUE(reader.lives());
}

}  // namespace
}  // namespace ym::local
