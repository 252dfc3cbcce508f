// Spells of spot capacity: times in which a zone had all of a gang, or nothing, and how likely they end by their age.
//
// How often spells end falls with their age, about as age to the power of -0.65, and nearly alike for both kinds, all
// types of nodes and all zones recorded. So one table of rates, times a factor of each kind, describes a zone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "papers/spot/market.h"

namespace ym::sim::spot {

inline constexpr std::size_t kAges = 9;
// The age up to which a bucket goes; the last has no end.
inline constexpr std::array<std::int64_t, kAges - 1> kAgeEndMs = {kHourMs / 6, kHourMs / 3, kHourMs / 2, kHourMs,
                                                                  2 * kHourMs, 4 * kHourMs, 8 * kHourMs, 16 * kHourMs};
// Ends in 1000 hours of spells of that age, pooled over the first halves of the recordings of 2022 and 2023.
inline constexpr std::array<std::int64_t, kAges> kEndsIn1000Hours = {2200, 1350, 950, 750, 500, 300, 200, 130, 70};

std::size_t age_bucket(std::int64_t age_ms);

// How much of a gang a zone could give. Who does not know how many nodes a zone could give, only whether it is the
// whole gang, says it of gangs of one node.
enum class Level : std::uint8_t {
  zero,
  low,    // some nodes
  high,   // three quarters of them, not all
  tight,  // all, but not as many again
  ample,  // all and as many again, or all that can be asked for
};

Level level_of(int nodes, const Gang& gang);

// Ends that were seen, and those that kEndsIn1000Hours would have led to; both in 1/1000.
struct Evidence {
  std::int64_t seen_milli = 0, expected_milli = 0;

  Evidence& operator+=(const Evidence& other);
  bool operator==(const Evidence&) const = default;
};

// Of a time that is counted in ticks, one after another.
class SpellWatch {
 public:
  // A spell under way at the first tick is taken to be an hour old.
  void see(Level level, std::int64_t tick_ms);

  bool known() const { return known_; }  // whether anything was seen
  Level level() const { return level_; }
  std::int64_t age_ms() const { return age_ms_; }
  const Evidence& of_zero() const { return of_zero_; }
  const Evidence& of_ample() const { return of_ample_; }

 private:
  Level level_ = Level::zero;
  bool known_ = false;
  std::int64_t age_ms_ = 0;
  Evidence of_zero_, of_ample_;
};

}  // namespace ym::sim::spot
