// Jobs in rounds, as Gavel (Narayanan et al., OSDI 2020) and Shockwave (Zheng et al., NSDI 2023) simulate them: who
// runs is chosen every so often, GPUs are counted, and a GPU whose job ends stays idle until the next round.
#pragma once

#include <span>
#include <vector>

#include "papers/fairness/policy.h"
#include "papers/service/simulate.h"

namespace ym::sim::fairness {

using service::DeclaredUs;

struct RoundOptions {
  Count gpus = 32;
  Micros round_us = 120 * kSecond;
  // Of the run time of a job that did not run in the round before, its first included: no progress.
  Micros restart_us = 20 * kSecond;
};

// By job. What nobody declares is guessed (run_times.h); what outlives its declaration is taken to be twice as long
// (service/declared.h).
// Preconditions: jobs are sorted by submission, none wants more than all GPUs, one declaration (above 0) for each.
std::vector<Outcome> run_rounds(std::span<const Job> jobs, std::span<const DeclaredUs> declared, Policy& policy,
                                const RoundOptions& options = {});

}  // namespace ym::sim::fairness
