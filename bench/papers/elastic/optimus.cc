#include "papers/elastic/optimus.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "papers/elastic/most_free_nodes.h"

namespace ym::sim::elastic {
namespace {

// In seconds. Its model always accumulates on one GPU, other than the jobs that it predicts.
double step_s(const Application& application, Count batch, Count gpus) {
  BatchLimits limits = application.limits();
  if (gpus == 1) limits.initial = 0;
  const Batch chosen = fixed_batch(limits, gpus, batch);
  const auto step = application.step_time(packed_layout(gpus), chosen.local);
  if (!step) return std::numeric_limits<double>::infinity();
  return step->step_s + (step->step_s - step->sync_s) * chosen.accumulation;
}

struct Candidate {
  const Application& application;
  Count batch = 0;
  double remaining_iterations = 0;
  Count most_gpus = 0;
  Count gpus = 0;
  double gain_s = 0;  // of one GPU more

  // `free`: GPUs of the cluster.
  void give_one(Count& free) {
    gpus += 1;
    free -= 1;
    const bool can_grow = gpus < most_gpus && free > 0;
    gain_s =
        can_grow ? (step_s(application, batch, gpus) - step_s(application, batch, gpus + 1)) * remaining_iterations : 0;
  }
};

Candidate candidate_of(const Job& job, const Application& application) {
  const Count batch = job.request.batch;
  const std::size_t last = application.epochs() - 1;
  return {.application = application,
          .batch = batch,
          .remaining_iterations =
              job.epoch >= last ? 1 : application.iterations(batch, last) - application.iterations(batch, job.epoch),
          .most_gpus = application.only_batch() ? 1 : batch / application.limits().least_local};
}

void choose_sizes(std::vector<Candidate>& candidates, Count free) {
  for (Candidate& candidate : candidates)
    if (free > 0) candidate.give_one(free);
  while (free > 0) {
    const auto best = std::ranges::max_element(candidates, {}, &Candidate::gain_s);
    if (!(best->gain_s > 0)) return;
    best->give_one(free);
  }
}

}  // namespace

std::vector<Allocation> Optimus::plan(const Round& round) {
  std::vector<Candidate> candidates;
  for (const std::size_t number : round.active) {
    const Job& job = round.jobs[number];
    candidates.push_back(candidate_of(job, round.catalog[job.request.application]));
  }
  choose_sizes(candidates, cluster_.gpus());
  FreeNodes free(cluster_);
  std::vector<Allocation> plan(candidates.size());
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Allocation& present = round.jobs[round.active[i]].allocation;
    if (gpus_of(present) == candidates[i].gpus) plan[i] = present;
    else changed.push_back(i);
    free.take(plan[i]);
  }
  std::ranges::sort(changed, {}, [&](std::size_t i) { return std::pair(candidates[i].gpus, i); });
  for (const std::size_t i : changed) plan[i] = free.give(candidates[i].gpus);
  return plan;
}

}  // namespace ym::sim::elastic
