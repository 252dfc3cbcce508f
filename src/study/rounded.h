// Figures of a study as JSON shows them.
#pragma once

#include <cmath>

namespace ym::study {

// To three decimals: more would suggest a precision that no forecast has.
inline double rounded(double value) { return std::round(value * 1000) / 1000; }

}  // namespace ym::study
