#include "engine/forecast/forecast.h"

#include <gtest/gtest.h>

#include "scenario/language/world.h"

namespace ym::engine {
namespace {

using ym::testing::kStart;
using ym::testing::World;

// Jobs that begin one after the other, an hour each.
TEST(Forecast, SeesNoFurtherThanItMayLook) {
  World world;
  world.apply(
      NodeSet{{.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}}, .cpus = 8 * kMilli}});
  JobSpec spec;
  spec.resources.gpus = kMilli;
  spec.time_limit = hours(1);
  for (int i = 0; i < 20; ++i) world.submit(spec, kStart);
  const auto all = forecast(world.state(), {}, kStart);
  EXPECT_EQ(all.starts.size(), 20U);
  const auto few = forecast(world.state(), {}, kStart, {.cycles = 6});
  EXPECT_GE(few.starts.size(), 2U);
  EXPECT_LE(few.starts.size(), 6U);
  EXPECT_LT(few.until, all.until);
  const auto soon = forecast(world.state(), {}, kStart, {.horizon = hours(5)});
  EXPECT_LE(soon.starts.size(), 6U);
}

}  // namespace
}  // namespace ym::engine
