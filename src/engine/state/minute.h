// Time as reservations count it.
#pragma once

#include <cstdint>
#include <limits>

namespace ym::engine {

// 0: now; n: at the n-th turn of the minute from now.
using Minute = std::int32_t;
inline constexpr Minute kHorizon = 45 * 24 * 60;  // what is farther off is never
inline constexpr Minute kNoMinute = std::numeric_limits<Minute>::max();

}  // namespace ym::engine
