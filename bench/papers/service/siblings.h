// What jobs submitted shortly before or after a job, with as many GPUs, say of its run time: often they are the same
// work, tried again or in a sweep.
#pragma once

#include <array>
#include <span>

#include "papers/service/octaves.h"

namespace ym::sim::service {

struct SiblingOptions {
  std::size_t on_each_side = 5;  // 0: none
  double alike_within = 0.15;    // run times that differ by no more of the smaller are alike
  double prior_pairs = 50;       // so many pairs' worth of the shares that are taken for granted at first
  double by_chance = 0.05;       // share of pairs that are alike for no reason
  double beside = 0.15;          // of a sibling's mass, into each of the two octaves beside its own
};

// How often siblings are alike, learned from pairs that have ended, by the time between their submissions.
class Alikeness {
 public:
  explicit Alikeness(const SiblingOptions& options = {}) : options_(options) {}

  // Each pair once, when both have ended.
  void add_pair(Micros gap_us, Micros run_us, Micros other_run_us);
  // The chance that one says something of the other. Gaps are not negative.
  double chance(Micros gap_us) const;

 private:
  static constexpr std::size_t kGaps = 6;
  static std::size_t gap_class(Micros gap_us);

  SiblingOptions options_;
  std::array<double, kGaps> pairs_{}, alike_{};
};

struct EndedSibling {
  double chance = 0;  // that it says something
  Octave octave = 0;  // in which it ended
};

// The distribution `masses`, as far as no sibling says anything: with the probability that some does, it is where they
// ended, each weighing as its chance.
Masses with_siblings(const Masses& masses, std::span<const EndedSibling> siblings, const SiblingOptions& options = {});

}  // namespace ym::sim::service
