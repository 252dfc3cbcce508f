// BucketQueue: by minute, how many more or fewer nodes have room. Entries come in any order and are read in order of
// time, without a sort: a bit a minute says which to look at.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/state/minute.h"

namespace ym::engine {

class BucketQueue {
 public:
  // Precondition: within the horizon.
  void add(Minute minute, std::int32_t nodes) {
    const auto at = static_cast<std::size_t>(minute);
    if (at >= more_.size()) grow_to(at);
    more_[at] += nodes;
    marked_[at / 64] |= std::uint64_t{1} << at % 64;
  }
  // The first minute from this one on with an entry; kNoMinute: none.
  Minute next(Minute from) const {
    auto at = static_cast<std::size_t>(from);
    if (at >= more_.size()) return kNoMinute;
    std::uint64_t word = marked_[at / 64] >> at % 64 << at % 64;
    while (word == 0) {
      at = (at / 64 + 1) * 64;
      if (at >= more_.size()) return kNoMinute;
      word = marked_[at / 64];
    }
    return static_cast<Minute>(at / 64 * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }
  std::int32_t at(Minute minute) const { return more_[static_cast<std::size_t>(minute)]; }
  // Removes all entries.
  void clear() {
    for (Minute minute = next(0); minute != kNoMinute; minute = next(minute + 1))
      more_[static_cast<std::size_t>(minute)] = 0;
    marked_.assign(marked_.size(), 0);
  }

 private:
  // Most searches end within days, and the horizon is far: so it grows as needed.
  void grow_to(std::size_t minute) {
    constexpr std::size_t kWords = 16;
    marked_.resize((minute / (64 * kWords) + 1) * kWords);
    more_.resize(marked_.size() * 64);
  }

  std::vector<std::int32_t> more_;     // by minute
  std::vector<std::uint64_t> marked_;  // a bit a minute
};

}  // namespace ym::engine
