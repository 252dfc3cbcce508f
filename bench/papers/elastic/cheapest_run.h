// The cheapest way to run a job when GPUs have prices: which size in which epoch, and when to wait for cheaper ones.
//
// Cost is the time until it ends and what the GPUs cost until then. By dynamic programming over epochs and a grid of
// times; between the points of the grid costs are interpolated, and a job keeps its size within an epoch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "papers/elastic/application.h"
#include "papers/elastic/price_path.h"

namespace ym::sim::elastic {

// How long each epoch takes on each number of GPUs.
struct EpochTimes {
  std::vector<Count> sizes;                  // GPUs, rising
  std::vector<std::vector<double>> seconds;  // [epoch][size]
};
// On those of `sizes` (rising) that it may run on.
EpochTimes epoch_times(const Application& application, const Cluster& cluster, std::span<const Count> sizes);
// The same with all epochs halved until they take no longer than mean_s on the mean, each at its best size.
EpochTimes in_pieces(const EpochTimes& times, double mean_s);

// Changes cost nothing.
class CheapestRun {
 public:
  // Both outlive it.
  CheapestRun(const EpochTimes& times, const PricePath& prices);

  // Of a job that may start then, in seconds.
  double cost_from(double start_s) const;
  // Adds the GPUs that it holds to `held`, by slot of the grid, on the mean over the slot.
  void add_held(double start_s, std::vector<double>& held) const;

 private:
  static constexpr std::uint8_t kWait = 255;  // none of the sizes

  void compute_epoch(std::size_t epoch);

  const EpochTimes& times_;
  const PricePath& prices_;
  std::size_t last_;  // point; all later ones are like it
  // [epoch][point]
  std::vector<std::vector<float>> cost_;
  std::vector<std::vector<std::uint8_t>> choice_;  // of the sizes, or kWait
};

}  // namespace ym::sim::elastic
