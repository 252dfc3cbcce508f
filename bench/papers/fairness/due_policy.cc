#include "papers/fairness/due_policy.h"

#include <algorithm>

namespace ym::sim::fairness {

Order DuePolicy::order(const Round& round) {
  const Count sharing = std::max(round.submitted, round.gpus);
  std::vector<DueJob> jobs;
  for (const Present& job : round.jobs) {
    const bool kept = job.guessed && job.ran_before;
    const Micros left_us = kept ? std::max<Micros>(1, job.left_us / options_.guess_divisor) : job.left_us;
    const Micros fair_us = (job.done_us + left_us) / round.gpus * sharing + 1;
    const Micros due_us = job.submit_us + fair_us * options_.rho_percent / 100 - round.now_us;
    jobs.push_back({.gpus = job.gpus, .left_us = left_us, .due_us = due_us, .fair_us = fair_us});
  }
  return due_order(jobs, {.gpus = round.gpus, .makespan_percent = options_.makespan_percent});
}

}  // namespace ym::sim::fairness
