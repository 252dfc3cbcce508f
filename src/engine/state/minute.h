// Time as backfill reservations count it.
#pragma once

#include <cstdint>
#include <limits>

namespace ym::engine {

// 0: now; n: the n-th begin of a clock minute from now on.
using Minute = std::int32_t;
inline constexpr Minute kHorizon = 45 * 24 * 60;  // later times count as never
inline constexpr Minute kNoMinute = std::numeric_limits<Minute>::max();

}  // namespace ym::engine
