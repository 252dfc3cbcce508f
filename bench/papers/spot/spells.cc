#include "papers/spot/spells.h"

#include <algorithm>

namespace ym::sim::spot {

std::size_t age_bucket(std::int64_t age_ms) {
  return static_cast<std::size_t>(std::ranges::lower_bound(kAgeEndMs, age_ms) - kAgeEndMs.begin());
}

Level level_of(int nodes, const Gang& gang) {
  if (nodes == 0) return Level::zero;
  if (nodes < gang.nodes) return 4 * nodes >= 3 * gang.nodes ? Level::high : Level::low;
  return nodes >= std::min(2 * gang.nodes, gang.most) ? Level::ample : Level::tight;
}

Evidence& Evidence::operator+=(const Evidence& other) {
  seen_milli += other.seen_milli;
  expected_milli += other.expected_milli;
  return *this;
}

void SpellWatch::see(Level level, std::int64_t tick_ms) {
  if (known_ && (level_ == Level::zero || level_ == Level::ample)) {
    Evidence& evidence = level_ == Level::zero ? of_zero_ : of_ample_;
    evidence += {.seen_milli = level == level_ ? 0 : 1000,
                 .expected_milli = kEndsIn1000Hours[age_bucket(age_ms_)] * tick_ms / kHourMs};
  }
  if (!known_) age_ms_ = kHourMs;
  else age_ms_ = level == level_ ? age_ms_ + tick_ms : tick_ms;
  level_ = level;
  known_ = true;
}

}  // namespace ym::sim::spot
