#include "executor/local/supervisor/leader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::local {
namespace {

bool below_ten_is_a_shell(pid_t pid) { return pid < 10; }

std::vector<pid_t> heard(const std::vector<ProcessStat>& all) {
  std::vector<pid_t> pids;
  for (const auto& process : listeners_in(all, 5, below_ten_is_a_shell)) pids.push_back(process.pid);
  return pids;
}

TEST(Leader, AProgramHearsAlone) {
  const std::vector<ProcessStat> all{{.pid = 12, .parent = 1}, {.pid = 13, .parent = 12}};
  EXPECT_EQ(listeners_in(all, 12, below_ten_is_a_shell).size(), 1U);
}

TEST(Leader, AShellsForegroundCommandHears) {
  EXPECT_THAT(heard({{.pid = 5, .parent = 1},
                     {.pid = 20, .parent = 5, .start_ticks = 10},
                     {.pid = 21, .parent = 5, .start_ticks = 30},
                     {.pid = 22, .parent = 5, .start_ticks = 20},
                     {.pid = 23, .parent = 21, .start_ticks = 40}}),
              ::testing::ElementsAre(5, 21));
}

TEST(Leader, AShellBehindAShellHandsItOn) {
  EXPECT_THAT(heard({{.pid = 5, .parent = 1}, {.pid = 6, .parent = 5}, {.pid = 20, .parent = 6}}),
              ::testing::ElementsAre(5, 6, 20));
}

TEST(Leader, AShellAloneHears) {
  EXPECT_THAT(heard({{.pid = 5, .parent = 1}, {.pid = 20, .parent = 5, .state = 'Z'}}), ::testing::ElementsAre(5));
}

TEST(Leader, OneThatIsGoneHearsNothing) { EXPECT_TRUE(heard({{.pid = 20, .parent = 5}}).empty()); }

}  // namespace
}  // namespace ym::local
