// SizeTable: what a policy believes of one kind of job: how fast it goes on each number of GPUs in each epoch.
//
// Work is counted in GPU seconds at the size that needs least of them, epoch by epoch, so that it means the same
// whatever the size is on which it is done.
#pragma once

#include <span>
#include <vector>

#include "papers/elastic/layout.h"

namespace ym::sim::elastic {

struct SizeTable {
  std::vector<Count> sizes;         // GPUs, rising; the first is 1
  std::vector<double> progress_at;  // [e]: when e epochs are done; one more than epochs
  // By GPUs (empty where they are none of `sizes`), then by epoch.
  std::vector<std::vector<double>> rate;    // progress per second
  std::vector<std::vector<double>> tail_s;  // for the epochs from e on, without changing the size
  // By epoch.
  std::vector<double> work_per_progress;  // GPU s
  std::vector<double> work_from;          // GPU s of the epochs from e on; one more than epochs

  std::size_t epochs() const { return progress_at.size() - 1; }
};

// `rate` as above; of every size at least one epoch's is positive in each epoch, and 0 means that it cannot run there.
SizeTable size_table(std::vector<Count> sizes, std::span<const double> progress_at,
                     std::vector<std::vector<double>> rate);

// Sizes 1 to `all_up_to`, and whole nodes above that, up to `most`.
std::vector<Count> offered_sizes(Count most, Count all_up_to, Count gpus_per_node);

}  // namespace ym::sim::elastic
