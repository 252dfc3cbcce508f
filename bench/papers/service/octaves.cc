#include "papers/service/octaves.h"

#include <algorithm>

namespace ym::sim::service {
namespace {

constexpr double kLeastRate = 1e-12;

double width_s(Octave octave) {
  return seconds_of(octave == 0 ? octave_end_us(0) : octave_end_us(octave) - octave_end_us(octave - 1));
}

}  // namespace

Octave octave_of(Micros run_us) {
  Octave octave = 0;
  while (octave < kOctaves - 1 && run_us >= octave_end_us(octave)) ++octave;
  return octave;
}

double completion_rate(const Masses& masses, Octave octave) {
  double alive = 0;
  for (Octave i = octave; i < kOctaves; ++i) alive += masses[i];
  if (alive <= 0) return kLeastRate;
  double best = 0, ended = 0, run_s = 0;
  for (Octave i = octave; i < kOctaves; ++i) {
    // Those that end in an octave run through half of it on the mean.
    run_s += (alive - masses[i] / 2) * width_s(i);
    ended += masses[i];
    alive -= masses[i];
    best = std::max(best, ended / run_s);
  }
  return best;
}

}  // namespace ym::sim::service
