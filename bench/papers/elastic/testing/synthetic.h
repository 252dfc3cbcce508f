// A made-up application for tests: smooth curves instead of measurements, defined for every layout of the usual
// cluster.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "papers/elastic/application.h"
#include "papers/elastic/job.h"

namespace ym::sim::elastic {

struct Synthetic {
  std::string name = "synthetic";
  std::size_t epochs = 3;
  double epoch_progress = 100;
  double sync_s = 0.02;  // on several GPUs; twice as much on several nodes
};

inline StepSample synthetic_step(const Synthetic& made, Count nodes, Count replicas, double local_batch) {
  const double sync_s = replicas == 1 ? 0 : nodes == 1 ? made.sync_s : 2 * made.sync_s;
  return {.local_batch = local_batch, .step_s = 0.01 * local_batch + sync_s, .sync_s = sync_s};
}

inline Validation synthetic_validation(const Synthetic& made, Count batch) {
  Validation validation{.batch = batch, .progress = {}, .iterations = {}, .grad_sqr = {}, .grad_var = {}};
  for (std::size_t e = 0; e < made.epochs; ++e) {
    validation.progress.push_back(made.epoch_progress * static_cast<double>(e + 1));
    validation.iterations.push_back(validation.progress.back() * 16 / batch);
    validation.grad_sqr.push_back(1);
    validation.grad_var.push_back(20);
  }
  return validation;
}

inline Profile synthetic_profile(const Synthetic& made = {}) {
  Profile profile{.name = made.name, .limits = {16, 512, 4, 64}, .epochs = made.epochs};
  for (Count batch = 16; batch <= 512; batch *= 2) profile.validations.push_back(synthetic_validation(made, batch));
  for (Count nodes = 1; nodes <= 16; ++nodes)
    for (Count replicas = nodes; replicas <= 4 * nodes; ++replicas)
      for (const double local_batch : {1.0, 64.0})
        profile.by_counts[{nodes, replicas}].push_back(synthetic_step(made, nodes, replicas, local_batch));
  return profile;
}

inline Application synthetic_application(const Synthetic& made = {}) { return Application(synthetic_profile(made)); }

// `count` jobs of application 0, one every `gap_s`.
inline std::vector<JobRequest> synthetic_requests(int count, std::int32_t gap_s, Count gpus = 4) {
  std::vector<JobRequest> requests;
  for (int i = 0; i < count; ++i)
    requests.push_back({.name = "job-" + std::to_string(i), .submit_s = i * gap_s, .gpus = gpus, .batch = 64});
  return requests;
}

}  // namespace ym::sim::elastic
