#include "papers/elastic/size_choice.h"

#include <utility>

namespace ym::sim::elastic {
namespace {

constexpr double kLeastGain = 1e-12;

// What is won with all jobs so far, and what the last of them gets of it; by GPUs that they share.
struct Stage {
  std::vector<double> value;
  std::vector<Count> chosen;
};

Stage add_job(const std::vector<double>& before, const std::vector<SizeOption>& options) {
  Stage stage{.value = before, .chosen = std::vector<Count>(before.size(), 0)};
  for (Count shared = 0; shared < before.size(); ++shared) {
    for (const SizeOption& option : options) {
      if (option.gpus > shared) continue;
      const double value = before[shared - option.gpus] + option.value;
      if (value <= stage.value[shared] + kLeastGain) continue;
      stage.value[shared] = value;
      stage.chosen[shared] = option.gpus;
    }
  }
  return stage;
}

}  // namespace

std::vector<Count> choose_sizes(std::span<const std::vector<SizeOption>> jobs, Count gpus) {
  std::vector<std::vector<Count>> chosen;
  std::vector<double> value(gpus + 1, 0);
  for (const std::vector<SizeOption>& options : jobs) {
    Stage stage = add_job(value, options);
    value = std::move(stage.value);
    chosen.push_back(std::move(stage.chosen));
  }
  std::vector<Count> sizes(jobs.size());
  for (std::size_t job = jobs.size(); job-- > 0;) {
    sizes[job] = chosen[job][gpus];
    gpus -= sizes[job];
  }
  return sizes;
}

}  // namespace ym::sim::elastic
