#include "control/commit_pause.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

using std::chrono::milliseconds;

TEST(CommitPause, DoublesAndIsBounded) {
  CommitPause pause;
  const CommitPause::Time start{std::chrono::hours(1)};
  EXPECT_FALSE(pause.on(start));
  for (const int expected : {200, 400, 800, 1600, 3200, 5000, 5000, 5000}) {
    pause.failed(start);
    EXPECT_EQ(pause.until() - start, milliseconds(expected));
    EXPECT_TRUE(pause.on(start + milliseconds(expected - 1)));
    EXPECT_FALSE(pause.on(start + milliseconds(expected)));
  }
  EXPECT_EQ(pause.stored(), 8);
  EXPECT_FALSE(pause.on(start));
  pause.failed(start);
  EXPECT_EQ(pause.until() - start, milliseconds(200)) << "begins anew";
}

TEST(CommitPause, TheLogIsNotFlooded) {
  CommitPause pause;
  int lines = 0;
  for (int i = 0; i < 1000; ++i) {
    pause.failed({});
    lines += pause.should_log();
  }
  EXPECT_EQ(lines, 10);
}

}  // namespace
}  // namespace ym
