// Elastic jobs that are stopped for others and restart at once on fewer of their own nodes.
#pragma once

#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"

namespace ym::engine {

// Whether the job could run on fewer nodes, and would lose little: its attempt has reported a durable checkpoint, and
// its number of preemptions is not limited.
bool may_shrink(const Inputs& in, const Running& one);

// Where a preempted job restarts.
struct GoingOn {
  Running* preempted = nullptr;
  Choice choice;
};

// The preempted jobs that can continue, each on as many of its nodes as remain, at least its smallest size. The most
// urgent come first, then by submit time. If all can continue, earlier ones leave enough to later ones. `longest_stop`:
// the time until the last preempted job has left. Preconditions: they have departed in the trial, and the claimant's
// place is nominated there. Their places stay nominated in the trial until it is rolled back.
std::vector<GoingOn> jobs_that_go_on(const Inputs& in, Tried& tried, Duration longest_stop,
                                     const Candidates& preempted_jobs);

// Nominates in the trial, for each preempted job, as many nodes as its smallest size needs, those outside `spared`
// first. False: a preempted job has too few. Precondition: they have departed in the trial.
bool keep_smallest(const Inputs& in, Tried& tried, Duration longest_stop, const Candidates& preempted_jobs,
                   const std::vector<NodeIndex>& spared);

}  // namespace ym::engine
