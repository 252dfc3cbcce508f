// Seeded random numbers: the same seed gives the same numbers on every machine.
//
// SplitMix64 (Steele, Lea, Flood 2014). Not for secrets.
#pragma once

#include <cstdint>

#include "base/assert.h"

namespace ym {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound). Precondition: bound > 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    YM_ASSERT(bound > 0);
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace ym
