#include "papers/placement/waste_table.h"

#include <gtest/gtest.h>

namespace ym::sim::placement {
namespace {

WasteTable table() {
  return WasteTable({.usual = {.cpus = 10 * kMilli, .memory_bytes = 100 * kGiB},
                     .shared = {{.idle = 40, .waste_milli = 300}, {.idle = 40, .cpus = 2, .waste_milli = 200}},
                     .whole = {{.idle = 2, .cpus = 3, .memory = 4, .waste_milli = 50},
                               {.idle = 2, .waste_milli = 1500},
                               {.idle = 2, .memory = 4, .waste_milli = 700}},
                     .type_cost_milli = {{"v100", 300}}});
}

TEST(WasteTable, WhatSaysMoreGoesFirst) {
  EXPECT_EQ(table().of_whole(2, 3, 4), 50);
  EXPECT_EQ(table().of_whole(2, 0, 4), 700);
  EXPECT_EQ(table().of_whole(2, 3, 5), 1500);
  EXPECT_EQ(table().of_shared(409, 2, 0), 200) << "in hundredths, rounded down";
  EXPECT_EQ(table().of_shared(400, 3, 0), 300);
}

TEST(WasteTable, OfWhatItDoesNotKnowAllIsWasted) {
  EXPECT_EQ(table().of_whole(3, 3, 4), 3000);
  EXPECT_EQ(table().of_shared(555, 0, 0), 550);
  EXPECT_EQ(table().of_whole(0, 0, 0), 0);
  EXPECT_EQ(table().type_cost_milli("t4"), 0);
  EXPECT_EQ(table().type_cost_milli("v100"), 300);
}

TEST(WasteTable, StepsAreOfWhatIsLeftForEachIdleGpu) {
  EXPECT_EQ(table().cpu_step(0, kMilli), 0U);
  EXPECT_EQ(table().cpu_step(10 * kMilli, kMilli), 7U) << "all that is usual: from 1.0 on";
  EXPECT_EQ(table().cpu_step(10 * kMilli - 1, kMilli), 6U);
  EXPECT_EQ(table().cpu_step(10 * kMilli, 2 * kMilli), 3U);
  EXPECT_EQ(table().cpu_step(1'000'000 * kMilli, 100), 12U);
  EXPECT_EQ(table().memory_step(100 * kGiB, 500), 10U);
  EXPECT_EQ(table().memory_step(std::int64_t{1} << 60, 1), 12U) << "nothing overflows";
}

}  // namespace
}  // namespace ym::sim::placement
