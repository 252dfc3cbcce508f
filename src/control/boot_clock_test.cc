#include "control/boot_clock.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

TEST(BootClock, IsAdvancedToWhatIsStoredAndGoesOnFromThere) {
  BootClock clock;
  const auto wall = clock.now();
  clock.advance_to(wall - hours(24));
  EXPECT_LT(clock.now() - wall, hours(1)) << "never back";
  EXPECT_GE(clock.now(), wall);
  clock.advance_to(wall + hours(24));
  const auto ahead = clock.now();
  EXPECT_GE(ahead, wall + hours(24));
  EXPECT_LT(ahead, wall + hours(25));
  EXPECT_GE(clock.now(), ahead);
}

}  // namespace
}  // namespace ym
