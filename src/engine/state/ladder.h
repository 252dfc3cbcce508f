// Ladder: from when on so many whole GPUs of a node are free, by their number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/state/minute.h"

namespace ym::engine {

struct Ladder {
  static constexpr std::size_t kRungs = 8;
  // By number, less one. None comes before the one below it; kNoMinute: there are never so many.
  std::array<Minute, kRungs> from{kNoMinute, kNoMinute, kNoMinute, kNoMinute,
                                  kNoMinute, kNoMinute, kNoMinute, kNoMinute};

  // So many are free then.
  std::int64_t at(Minute minute) const {
    std::int32_t free = 0;
    for (const Minute rung : from) free += rung <= minute ? 1 : 0;
    return free;
  }
  bool operator==(const Ladder&) const = default;
};

}  // namespace ym::engine
