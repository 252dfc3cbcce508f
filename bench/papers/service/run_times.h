// In which octaves jobs ended so far, by GPU count: what is known of a job of which nothing is.
#pragma once

#include <map>

#include "papers/service/octaves.h"

namespace ym::sim::service {

struct RunTimeOptions {
  double prior_hazard = 0.15;  // share of those in an octave that end in it, before anything is known
  double prior_jobs = 2;       // so many jobs' worth of it
  double pooled_jobs = 15;     // of the hazard of all GPU counts, in each of them; 5 to 40 come to the same
};

// Kaplan and Meier's estimate ("Nonparametric estimation from incomplete observations", 1958) by octave, drawn to that
// of all jobs: those that still run count in the octaves that they have outlived. Without them long jobs are missed
// until the first have ended.
class RunTimes {
 public:
  explicit RunTimes(const RunTimeOptions& options = {}) : options_(options) { fit(); }

  // Each job is counted once in each octave: outlived, or ended in it.
  void add_ended(Count gpus, Octave octave);
  void add_outlived(Count gpus, Octave octave);

  // Takes what was added since into account.
  void fit();
  // Of a job with so many GPUs, at its beginning; as of the last fit().
  const Masses& masses(Count gpus) const;

 private:
  struct Counts {
    Masses ended{}, outlived{};
  };
  struct Class {
    Counts counts{};
    Masses masses{};
  };
  Masses pooled_hazards() const;
  Masses masses_of(const Counts& counts, const Masses& pooled) const;

  RunTimeOptions options_;
  Counts all_{};
  Class unseen_{};
  std::map<Count, Class> classes_;  // by GPUs
};

}  // namespace ym::sim::service
