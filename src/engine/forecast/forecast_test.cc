#include "engine/forecast/forecast.h"

#include <gtest/gtest.h>

#include "scenario/language/world.h"

namespace ym::engine {
namespace {

using ym::testing::kStart;
using ym::testing::World;

// Twenty jobs that begin one after the other, an hour each.
World one_after_the_other() {
  World world;
  world.apply(
      NodeSet{{.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}}, .cpus = 8 * kMilli}});
  JobSpec spec;
  spec.resources.gpus = kMilli;
  spec.time_limit = hours(1);
  for (int i = 0; i < 20; ++i) world.submit(spec, kStart);
  return world;
}

TEST(Forecast, SeesNoFurtherThanItMayLook) {
  World world = one_after_the_other();
  const auto all = forecast(world.state(), {}, kStart);
  EXPECT_EQ(all.starts.size(), 20U);
  const auto few = forecast(world.state(), {}, kStart, {.cycles = 6});
  EXPECT_GE(few.starts.size(), 2U);
  EXPECT_LE(few.starts.size(), 6U);
  EXPECT_LT(few.until, all.until);
  const auto soon = forecast(world.state(), {}, kStart, {.horizon = hours(5)});
  EXPECT_LE(soon.starts.size(), 6U);
}

// Of each cycle those count who wait: 20, 19, 18 and so on.
TEST(Forecast, LooksAtNoMoreThanItMay) {
  World world = one_after_the_other();
  const auto few = forecast(world.state(), {}, kStart, {.looks = 20 + 19 + 18});
  EXPECT_GE(few.starts.size(), 2U);
  EXPECT_LE(few.starts.size(), 3U);
  EXPECT_TRUE(forecast(world.state(), {}, kStart, {.looks = 19}).starts.empty());
}

// What was found until then is so, and is no less than would have been found with fewer cycles.
TEST(Forecast, EndsWhenItIsToldTo) {
  World world = one_after_the_other();
  const auto all = forecast(world.state(), {}, kStart);
  int left = 4;
  const auto some = forecast(world.state(), {}, kStart, {.go_on = [&] { return left-- > 0; }});
  EXPECT_LT(some.starts.size(), all.starts.size());
  EXPECT_LE(some.until, all.until);
  EXPECT_TRUE(forecast(world.state(), {}, kStart, {.go_on = [] { return false; }}).starts.empty());
}

}  // namespace
}  // namespace ym::engine
