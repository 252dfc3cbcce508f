// The cheapest way to run a job when GPUs have prices and each start, change of size and start after a break costs a
// pause, in which GPUs are held and paid.
//
// As cheapest_run.h, with the size as part of the state.
#pragma once

#include <cstdint>
#include <vector>

#include "papers/elastic/cheapest_run.h"
#include "papers/elastic/price_path.h"

namespace ym::sim::elastic {

class PausingRun {
 public:
  // The first two outlive it. Sizes may change between what `times` has as epochs.
  PausingRun(const EpochTimes& times, const PricePath& prices, double pause_s);

  // Of a job that may start then, in seconds.
  double cost_from(double start_s) const;
  // Adds the GPUs that it holds to `held`, by slot of the grid, on the mean over the slot.
  void add_held(double start_s, std::vector<double>& held) const;

 private:
  using ByPoint = std::vector<float>;
  static constexpr std::uint8_t kWait = 255;  // none of the sizes

  // What the rest costs from the beginning of an epoch on.
  struct Costs {
    ByPoint idle;                  // when it holds nothing
    std::vector<ByPoint> running;  // [size]
  };
  struct Choices {
    std::vector<std::uint8_t> start;               // [point]: of the sizes, or kWait
    std::vector<std::vector<std::uint8_t>> stays;  // [size][point]: 1 where it goes on with its size
  };

  Choices compute_epoch(std::size_t epoch, Costs& costs) const;
  // Of an epoch by point, at a size, after so many seconds of pause.
  std::vector<double> costs_at(std::size_t epoch, std::size_t option, double pause_s, const ByPoint& after) const;

  const EpochTimes& times_;
  const PricePath& prices_;
  double pause_s_;
  std::size_t last_;              // point; all later ones are like it
  ByPoint cost_;                  // of all
  std::vector<Choices> choices_;  // by epoch
};

}  // namespace ym::sim::elastic
