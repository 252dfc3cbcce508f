// The size of each job until the next round: the core of the elastic policy, up to the nodes (few_moves.h).
//
// A pure function of its arguments. Every size gets a value (size_value.h), and of all sizes that the GPUs suffice for
// those are taken whose values sum up to most (size_choice.h).
#pragma once

#include <span>
#include <vector>

#include "papers/elastic/size_value.h"

namespace ym::sim::elastic {

enum class Growth {
  free,      // any size up to most_gpus of the job
  doubling,  // most_gpus is for now: it doubles when the job has run there, so sizes above it are worth going for
};

struct SizesOptions {
  Count gpus = Cluster{}.gpus();
  Growth growth = Growth::free;
  ValueOptions value{};
};

// GPUs by job, most_gpus at most. Where jobs may double only, the size in view counts, and what they get of it is
// shared out once more: a job whose next step is worth little in itself would else never get beyond it.
std::vector<Count> elastic_sizes(std::span<const ElasticJob> jobs, const SizesOptions& options);

}  // namespace ym::sim::elastic
