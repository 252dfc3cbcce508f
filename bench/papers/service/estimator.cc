#include "papers/service/estimator.h"

#include <algorithm>
#include <ranges>

namespace ym::sim::service {

void Estimator::submit(Count gpus, Micros submit_us) {
  const JobNumber job = jobs_.size();
  jobs_.push_back({.gpus = gpus, .submit_us = submit_us});
  auto& others = by_gpus_[gpus];
  const auto near = static_cast<std::ptrdiff_t>(options_.siblings.on_each_side);
  for (const JobNumber other : others | std::views::reverse | std::views::take(near)) {
    jobs_[job].siblings.push_back(other);
    jobs_[other].siblings.push_back(job);
    jobs_[other].rate.reset();
  }
  others.push_back(job);
}

void Estimator::outlive(JobNumber job, Micros ran_us) {
  Known& known = jobs_[job];
  for (const Octave until = octave_of(ran_us); known.octave < until; ++known.octave)
    run_times_.add_outlived(known.gpus, known.octave);
  known.rate.reset();
}

void Estimator::end(JobNumber job, Micros run_us) {
  outlive(job, run_us);
  Known& known = jobs_[job];
  known.run_us = run_us;
  run_times_.add_ended(known.gpus, known.octave);
  compare_with_siblings(job);
  run_times_.fit();
  for (Known& other : jobs_) other.rate.reset();
}

void Estimator::compare_with_siblings(JobNumber job) {
  const Known& known = jobs_[job];
  for (const JobNumber sibling : known.siblings) {
    const Known& other = jobs_[sibling];
    if (other.run_us) alikeness_.add_pair(gap_us(known, other), *known.run_us, *other.run_us);
  }
}

Micros Estimator::gap_us(const Known& one, const Known& other) const {
  return std::max(one.submit_us, other.submit_us) - std::min(one.submit_us, other.submit_us);
}

double Estimator::compute_rate(const Known& job) const {
  std::vector<EndedSibling> ended;
  for (const JobNumber sibling : job.siblings) {
    const Known& other = jobs_[sibling];
    if (!other.run_us) continue;
    ended.push_back({.chance = alikeness_.chance(gap_us(job, other)), .octave = octave_of(*other.run_us)});
  }
  return completion_rate(with_siblings(run_times_.masses(job.gpus), ended, options_.siblings), job.octave);
}

double Estimator::rate(JobNumber job, Micros ran_before_us) {
  constexpr double kOfEqualOnes = 1e-6;
  Known& known = jobs_[job];
  if (!known.rate) known.rate = compute_rate(known);
  const auto octave_us = static_cast<double>(octave_end_us(known.octave));
  return *known.rate * (1 + kOfEqualOnes * static_cast<double>(ran_before_us) / octave_us);
}

std::optional<Micros> Estimator::next_change_us(JobNumber job) const {
  if (jobs_[job].octave + 1 == kOctaves) return std::nullopt;
  return octave_end_us(jobs_[job].octave);
}

}  // namespace ym::sim::service
