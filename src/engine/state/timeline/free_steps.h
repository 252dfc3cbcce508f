// FreeSteps: the minute from which a number of whole GPUs of a node is free, by that number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/state/minute.h"

namespace ym::engine {

struct FreeSteps {
  static constexpr std::size_t kMostDevices = 8;
  // By number minus one, ascending. kNoMinute: this number is never free.
  std::array<Minute, kMostDevices> from{kNoMinute, kNoMinute, kNoMinute, kNoMinute,
                                        kNoMinute, kNoMinute, kNoMinute, kNoMinute};

  // Number of GPUs that are free then.
  std::int64_t at(Minute minute) const {
    std::int32_t free = 0;
    for (const Minute first : from) free += first <= minute ? 1 : 0;
    return free;
  }
  bool operator==(const FreeSteps&) const = default;
};

}  // namespace ym::engine
