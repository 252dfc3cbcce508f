#include "executor/local/remains.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace ym::local {
namespace {

constexpr Token kToken{JobId{77}, 1, 3};

std::string environ_with(const std::string& token, const std::string& rank) {
  return "PATH=/bin" + std::string(1, '\0') + "YM_LAUNCH_TOKEN=" + token + std::string(1, '\0') +
         "YM_NODE_RANK=" + rank + std::string(1, '\0');
}

TEST(Remains, ATokenCountsWholeAndWithItsRank) {
  const auto token = to_string(kToken);
  EXPECT_TRUE(carries_token(environ_with(token, "1"), kToken, 1));
  EXPECT_FALSE(carries_token(environ_with(token, "1"), kToken, 0));
  EXPECT_FALSE(carries_token(environ_with(token, "11"), kToken, 1));
  EXPECT_FALSE(carries_token(environ_with(token + "1", "1"), kToken, 1));
  EXPECT_FALSE(carries_token("X" + environ_with(token, "1").substr(9), kToken, 1) &&
               carries_token("NOT_YM_NODE_RANK=1", kToken, 1));
  EXPECT_FALSE(carries_token("", kToken, 1));
}

TEST(Remains, AWipedEnvironmentIsNone) {
  EXPECT_TRUE(wiped(""));
  EXPECT_TRUE(wiped(std::string(100, '\0')));
  EXPECT_TRUE(wiped("my worker: idle" + std::string(1, '\0') + "A=b"));
  EXPECT_FALSE(wiped("PATH=/bin" + std::string(1, '\0')));
}

// A process that sleeps in a session of its own, with this environment.
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
    // Until exec it still has our environment.
    while (read_name() != "sleep") ::usleep(1000);
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
  std::string read_name() const {
    std::array<char, 64> name{};
    FILE* file = ::fopen(("/proc/" + std::to_string(pid) + "/comm").c_str(), "re");
    if (!file) return {};
    const auto n = ::fread(name.data(), 1, name.size(), file);
    ::fclose(file);
    return std::string(name.data(), n > 0 ? n - 1 : 0);
  }
  bool reaped_ = false;
};

TEST(Remains, FindsItsOwnAndNobodyElse) {
  const auto token = to_string(kToken);
  Sleeper ours{{"YM_LAUNCH_TOKEN=" + token, "YM_NODE_RANK=0"}};
  const Sleeper sibling{{"YM_LAUNCH_TOKEN=" + token, "YM_NODE_RANK=1"}};
  const Sleeper stranger{{"PATH=/bin"}};
  const Claim claim{.token = kToken, .task = 0};
  EXPECT_EQ(kill_remains(claim, std::nullopt), 1U);
  EXPECT_TRUE(ours.wait_killed());
  EXPECT_EQ(kill_remains(claim, std::nullopt), 0U);
  EXPECT_TRUE(sibling.lives());
  EXPECT_TRUE(stranger.lives());
}

TEST(Remains, ALeadersNumberAloneIsNoReasonToKill) {
  Sleeper sleeper{{"PATH=/bin"}};
  const Claim claim{.token = kToken, .task = 0};
  auto leader = *identity_of(sleeper.pid);
  ++leader.start_ticks;  // the number has passed to another process since
  EXPECT_EQ(kill_remains(claim, leader), 0U);
  EXPECT_TRUE(sleeper.lives());
  --leader.start_ticks;
  EXPECT_EQ(kill_remains(claim, leader), 1U);
  EXPECT_TRUE(sleeper.wait_killed());
}

TEST(Remains, AWipedEnvironmentInTheLeadersSessionIsOurs) {
  Sleeper sleeper{{}};
  const Claim claim{.token = kToken, .task = 0};
  EXPECT_EQ(kill_remains(claim, ProcessIdentity{boot_id(), sleeper.pid, 1}), 1U);
  EXPECT_TRUE(sleeper.wait_killed());
}

}  // namespace
}  // namespace ym::local
