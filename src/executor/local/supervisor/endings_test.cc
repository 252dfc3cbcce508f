#include "executor/local/supervisor/endings.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

constexpr int kExit3 = 3 << 8, kKilled = 9;

TEST(Endings, TheLeadersFirstEndIsTheLeaders) {
  Endings endings{.leader = 5};
  endings.reaped(6, kKilled);
  EXPECT_FALSE(endings.leader_status);
  endings.reaped(5, kExit3);
  endings.reaped(5, kKilled);  // a daemon of it with the same pid
  EXPECT_EQ(endings.leader_status, kExit3);
}

TEST(Endings, AListenerEndsOnce) {
  Endings endings{.leader = 5, .listeners = {{.process = {.pid = 7}}, {.process = {.pid = 8}}}};
  endings.reaped(7, kExit3);
  EXPECT_EQ(endings.listener_status, kExit3);
  endings.reaped(7, kKilled);
  EXPECT_EQ(endings.listener_status, kExit3);
  EXPECT_EQ(endings.listeners.size(), 1U);
}

TEST(Endings, AFiltersEndIsNotTheCommands) {
  Endings endings{.leader = 5, .listeners = {{.process = {.pid = 7}}, {.process = {.pid = 8}, .told = false}}};
  endings.reaped(7, kExit3);
  endings.reaped(8, kKilled);
  EXPECT_EQ(endings.listener_status, kExit3);
  EXPECT_TRUE(endings.listeners.empty());
}

}  // namespace
}  // namespace ym::local
