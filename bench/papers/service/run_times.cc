#include "papers/service/run_times.h"

namespace ym::sim::service {

void RunTimes::add_ended(Count gpus, Octave octave) {
  all_.ended[octave] += 1;
  classes_.try_emplace(gpus, unseen_).first->second.counts.ended[octave] += 1;
}

void RunTimes::add_outlived(Count gpus, Octave octave) {
  all_.outlived[octave] += 1;
  classes_.try_emplace(gpus, unseen_).first->second.counts.outlived[octave] += 1;
}

Masses RunTimes::pooled_hazards() const {
  Masses hazards{};
  for (Octave i = 0; i < kOctaves; ++i) {
    const double ended = all_.ended[i] + options_.prior_jobs * options_.prior_hazard;
    hazards[i] = ended / (all_.ended[i] + all_.outlived[i] + options_.prior_jobs);
  }
  return hazards;
}

Masses RunTimes::masses_of(const Counts& counts, const Masses& pooled) const {
  Masses masses{};
  double alive = 1;
  for (Octave i = 0; i < kOctaves; ++i) {
    const double ended = counts.ended[i] + options_.pooled_jobs * pooled[i];
    const double hazard = ended / (counts.ended[i] + counts.outlived[i] + options_.pooled_jobs);
    masses[i] = alive * (i == kOctaves - 1 ? 1 : hazard);
    alive -= masses[i];
  }
  return masses;
}

void RunTimes::fit() {
  const Masses pooled = pooled_hazards();
  unseen_.masses = masses_of(unseen_.counts, pooled);
  for (auto& [gpus, one] : classes_) one.masses = masses_of(one.counts, pooled);
}

const Masses& RunTimes::masses(Count gpus) const {
  const auto found = classes_.find(gpus);
  return found == classes_.end() ? unseen_.masses : found->second.masses;
}

}  // namespace ym::sim::service
