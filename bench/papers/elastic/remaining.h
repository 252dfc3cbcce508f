// What a job has still to do, known or estimated, and what it is worth to do some of it now.
//
// Part of the elastic policy's core: a pure function of its arguments.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "papers/elastic/size_table.h"

namespace ym::sim::elastic {

struct Position {
  std::size_t epoch = 0;  // the present one
  double progress = 0;    // progress_at[epoch] to progress_at[epoch + 1]
};

enum class Knowledge {
  known,    // the table holds to the end of the job
  typical,  // it will end where jobs of its kind ended so far, on the mean; unknown as long as there are none
  unknown,  // as much is left as was done (the age of a job is the best guess of what it has left)
};

struct EstimateOptions {
  Knowledge knowledge = Knowledge::known;
  double unseen_gpu_s = 3000;  // unknown: of a job that has done nothing
  double per_done = 1;         // unknown: what is left more for each GPU s of work done
  double least_gpu_s = 60;     // typical: of a job that has gone further than others did
};

struct Remaining {
  double work_gpu_s = 0;
  double least_s = 0;  // at the best size
};

// `typical_progress`: at which jobs of the kind ended, if some did.
Remaining remaining_of(const SizeTable& table, const Position& position, const EstimateOptions& options,
                       std::optional<double> typical_progress = std::nullopt);

struct WeightOptions {
  Count gpus = Cluster{}.gpus();
  // How sure it is which of two jobs has more left. 0: certain. Else job i is taken to outlive j with probability
  // 1 / (1 + (left of j / left of i)^sharpness); 1 fits two exponential remainders. Certain ranks of uncertain
  // remainders change places in every round, and jobs with them.
  double rank_sharpness = 0;
};

// What a GPU second of work on each job is worth, in seconds of all completion times together.
//
//   weight of j = least_s / work of j + (number of jobs that have more left) / GPUs
//
// The first part is what it brings the job itself. The second is what it brings those that wait behind it when jobs
// with least left go first: it is the derivative of sum_{i<j} min(work_i, work_j) / GPUs. Berg, Vesilo and
// Harchol-Balter, "heSRPT: Parallel Scheduling to Minimize Mean Slowdown", 2020, have weights of that form for
// power-law speed-ups. Of equal remainders the later job has more left.
std::vector<double> weights(std::span<const Remaining> jobs, const WeightOptions& options);

}  // namespace ym::sim::elastic
