#include "executor/local/attempt/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym::local {
namespace {

using ::testing::ElementsAre;

TEST(Numbers, BehindTheirKey) {
  const char* text = "oom 3\noom_kill_disable 0\nunder_oom 1\noom_kill 12\n";
  EXPECT_EQ(number_behind("oom_kill", text), 12);
  EXPECT_EQ(number_behind("oom", text), 3);
  EXPECT_EQ(number_behind("under_oom", text), 1);
  EXPECT_EQ(number_behind("kill", text), 0);
  EXPECT_EQ(number_behind("oom_kill", "oom_kill\noom_kill x\n"), 0);
  EXPECT_EQ(number_behind("oom_kill", "oom_kill 7"), 7) << "a last line without its end";
  EXPECT_EQ(number_behind("oom_kill", ""), 0);
}

TEST(Numbers, OneALine) {
  EXPECT_THAT(numbers_in("1\n22\n333\n"), ElementsAre(1, 22, 333));
  EXPECT_THAT(numbers_in("1\n\n2\n"), ElementsAre(1));
  EXPECT_THAT(numbers_in("7"), ElementsAre(7));
  EXPECT_THAT(numbers_in(""), ElementsAre());
}

}  // namespace
}  // namespace ym::local
