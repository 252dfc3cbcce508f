#include "executor/local/supervisor/leader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::local {
namespace {

bool below_ten_is_a_shell(pid_t pid) { return pid < 10; }
bool above_fifty_is_a_filter(pid_t pid) { return pid > 50; }
// Process 30 writes to 60, which writes to 61.
std::string piped(pid_t pid, int fd) {
  if ((pid == 30 && fd == 2) || (pid == 60 && fd == 0)) return "pipe:[1]";
  if ((pid == 60 && fd == 1) || (pid == 61 && fd == 0)) return "pipe:[2]";
  return "/dev/null";
}

const ProcessChecks kChecks{.is_shell = below_ten_is_a_shell, .is_filter = above_fifty_is_a_filter, .stream = piped};

std::vector<pid_t> heard(const std::vector<ProcessStat>& all) {
  std::vector<pid_t> pids;
  for (const auto& listener : listeners_in(all, 5, kChecks))
    pids.push_back(listener.told ? listener.process.pid : -listener.process.pid);
  return pids;
}

TEST(Leader, AProgramHearsAlone) {
  const std::vector<ProcessStat> all{{.pid = 12, .parent = 1}, {.pid = 13, .parent = 12}};
  EXPECT_EQ(listeners_in(all, 12, kChecks).size(), 1U);
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

TEST(Leader, OfAPipelineTheProgramHearsAndItsFiltersCarryOn) {
  EXPECT_THAT(heard({{.pid = 5, .parent = 1},
                     {.pid = 25, .parent = 5},  // in the background
                     {.pid = 30, .parent = 5, .start_ticks = 10},
                     {.pid = 60, .parent = 5, .start_ticks = 10},
                     {.pid = 61, .parent = 5, .start_ticks = 10}}),
              ::testing::ElementsAre(5, 30, -60, -61));
}

TEST(Leader, FiltersAloneHear) {
  EXPECT_THAT(heard({{.pid = 5, .parent = 1}, {.pid = 60, .parent = 5}, {.pid = 61, .parent = 5}}),
              ::testing::ElementsAre(5, 60, 61));
}

TEST(Leader, OneThatIsGoneHearsNothing) { EXPECT_TRUE(heard({{.pid = 20, .parent = 5}}).empty()); }

}  // namespace
}  // namespace ym::local
