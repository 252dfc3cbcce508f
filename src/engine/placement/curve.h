// The curve on which differences between nodes count, from Weng et al.: 100 / (1 + e^-x), in whole steps.
#pragma once

#include <array>
#include <cstdint>

namespace ym::engine {

// kCurve[s-1] is the least gain, in thousandths of a GPU, with the value s. A table, so that the result does not
// depend on floating point.
inline constexpr std::array<std::int64_t, 99> kCurve{
    -4595, -3891, -3476, -3178, -2944, -2751, -2586, -2442, -2313, -2197, -2090, -1992, -1900, -1815, -1734,
    -1658, -1585, -1516, -1450, -1386, -1324, -1265, -1208, -1152, -1098, -1045, -994,  -944,  -895,  -847,
    -800,  -753,  -708,  -663,  -619,  -575,  -532,  -489,  -447,  -405,  -363,  -322,  -281,  -241,  -200,
    -160,  -120,  -80,   -40,   0,     41,    81,    121,   161,   201,   242,   282,   323,   364,   406,
    448,   490,   533,   576,   620,   664,   709,   754,   801,   848,   896,   945,   995,   1046,  1099,
    1153,  1209,  1266,  1325,  1387,  1451,  1517,  1586,  1659,  1735,  1816,  1901,  1993,  2091,  2198,
    2314,  2443,  2587,  2752,  2945,  3179,  3477,  3892,  4596,
};

}  // namespace ym::engine
