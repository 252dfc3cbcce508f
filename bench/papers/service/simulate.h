// Our policy, run on a list of jobs: at each submission, each end and whenever an estimate changes, it is chosen anew
// who runs (choice.h), and those who do not run yet are placed (moves.h). Others go on undisturbed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "papers/service/choice.h"
#include "papers/service/estimator.h"
#include "papers/service/job.h"

namespace ym::sim::service {

// Run time that a job says it needs, right or wrong; nothing: it says nothing.
using DeclaredUs = std::optional<double>;

struct ServiceOptions {
  ClusterShape shape{};
  EstimateOptions estimates{};
  // A running job of undeclared size counts so many times its rate. An octave halves rates, so that equals would change
  // places at the end of each: 1 costs almost twice the moves, 2 saves another tenth of them at the same mean.
  double hysteresis = 1.5;
  // Run time, restarts included, until what a job declares can be believed: steps per second have to be measured.
  Micros measure_us = 0;
  std::size_t most_tried = ChoiceOptions{}.most_tried;
};

// By job. Each start, after a move too, costs the overhead of the job; nothing else is lost.
// Preconditions: jobs are sorted by submission, none wants more than all GPUs, one declaration (above 0) for each.
std::vector<Outcome> run_service(std::span<const Job> jobs, std::span<const DeclaredUs> declared,
                                 const ServiceOptions& options = {});

}  // namespace ym::sim::service
