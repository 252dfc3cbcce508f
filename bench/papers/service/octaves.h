// How soon a job of unknown size ends, from the octaves of run time in which jobs like it end.
//
// Part of the policy's core: pure functions of their arguments. The index is that of Gittins ("Bandit processes and
// dynamic allocation indices", 1979) for jobs whose size is known as a distribution: of all stretches of run time that
// the job may be given from now on, the best ratio of the chance to end in it to the run time expected in it. Octaves,
// because no more than the order of magnitude of a run time can be known.
#pragma once

#include <array>

#include "papers/service/job.h"

namespace ym::sim::service {

inline constexpr std::size_t kOctaves = 23;
using Octave = std::size_t;
using Masses = std::array<double, kOctaves>;  // of a distribution of run times; they sum up to 1

// Octave b ends at 8 s x 2^b, where the next begins; the first begins at 0 and the last never ends. 8 s is about what
// one restart costs.
constexpr Micros octave_end_us(Octave octave) { return (8 * kSecond) << octave; }
Octave octave_of(Micros run_us);

// Completions per second of one that got into `octave` and has not ended. It depends on nothing else: how far it is in
// its octave says nothing. Very small where the distribution has it end before.
double completion_rate(const Masses& masses, Octave octave);

}  // namespace ym::sim::service
