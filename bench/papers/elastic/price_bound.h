// A lower bound on the mean completion time that knows how scarce GPUs are at each time.
//
// The Lagrangian dual of the capacity (Fisher, "The Lagrangian Relaxation Method", 1981): whatever GPUs cost at each
// time, if not less than nothing, no schedule has a smaller sum of completion times than the sum over jobs of their
// cheapest runs, each for itself, less what all GPUs together cost. Prices are looked for by subgradient steps; more of
// them can only raise the bound. It knows all jobs beforehand, so that no policy reaches it. Numerical: sizes and times
// are those of a grid (cheapest_run.h); to halve the step of time moves it by 0.05 %.
#pragma once

#include <vector>

#include "papers/elastic/catalog.h"
#include "papers/elastic/price_path.h"
#include "papers/elastic/simulate.h"

namespace ym::sim::elastic {

struct PriceBoundOptions {
  Protocol protocol{};  // jobs start at the end of a round, and pause
  TimeGrid grid{};
  Count steps = 250;
  std::vector<Count> sizes{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 14, 16,
                           18, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64};  // GPUs, rising
};

struct PriceBound {
  double mean_completion_s = 0;
  std::vector<double> prices;  // that prove it, by slot
};

// Charges each job one pause, that of its first start. Preconditions: at least one request, at least one step.
PriceBound price_bound(const Catalog& catalog, const std::vector<JobRequest>& requests,
                       const PriceBoundOptions& options = {});

struct PausingBoundOptions {
  PriceBoundOptions without{};  // for the prices to begin with
  TimeGrid grid{.step_s = 30};  // slots as in without.grid
  Count steps = 40;
  // GPUs, rising; fewer than above, as there is a state for each of them.
  std::vector<Count> sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 44, 48, 56, 64};
  double mean_piece_s = 90;  // epochs that take longer on the mean are cut; sizes may change between the pieces
};

// Charges each pause. An estimate rather than a proof, as sizes change at ends of pieces only.
PriceBound pausing_price_bound(const Catalog& catalog, const std::vector<JobRequest>& requests,
                               const PausingBoundOptions& options = {});

}  // namespace ym::sim::elastic
