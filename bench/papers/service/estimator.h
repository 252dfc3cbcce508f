// How soon jobs of undeclared size end, learned online from those that have ended, from how long others already run,
// and from siblings.
//
// Part of the policy's core: it sees run times and submissions, and nothing of a simulation. Run times hold whatever
// restarts cost.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "papers/service/run_times.h"
#include "papers/service/siblings.h"

namespace ym::sim::service {

struct EstimateOptions {
  RunTimeOptions run_times{};
  SiblingOptions siblings{};
};

class Estimator {
 public:
  explicit Estimator(const EstimateOptions& options = {})
      : options_(options), run_times_(options.run_times), alikeness_(options.siblings) {}

  // In the order of their numbers, which count from 0.
  void submit(Count gpus, Micros submit_us);
  // The job has run so long and goes on. To be called when next_change_us() is reached.
  void outlive(JobNumber job, Micros ran_us);
  void end(JobNumber job, Micros run_us);

  // Completions per second. Of equal ones who was further in its octave when it last stopped comes first, by so little
  // that nothing else changes.
  double rate(JobNumber job, Micros ran_before_us);
  // At which run time the rate changes by itself; nothing if it will not.
  std::optional<Micros> next_change_us(JobNumber job) const;

 private:
  struct Known {
    Count gpus = 0;
    Micros submit_us = 0;
    Octave octave = 0;
    std::vector<JobNumber> siblings{};
    std::optional<Micros> run_us{};  // if it has ended
    std::optional<double> rate{};    // unless it has to be computed again
  };

  Micros gap_us(const Known& one, const Known& other) const;
  double compute_rate(const Known& job) const;
  void compare_with_siblings(JobNumber job);

  EstimateOptions options_;
  RunTimes run_times_;
  Alikeness alikeness_;
  std::vector<Known> jobs_;
  std::map<Count, std::vector<JobNumber>> by_gpus_;
};

}  // namespace ym::sim::service
