#include "papers/elastic/pausing_run.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ym::sim::elastic {
namespace {

// What waiting has to win at least, so that rounding makes nobody wait.
constexpr double kLeastPauseGain_s = 1e-9;

}  // namespace

PausingRun::PausingRun(const EpochTimes& times, const PricePath& prices, double pause_s)
    : times_(times),
      prices_(prices),
      pause_s_(pause_s),
      last_(prices.paid().size() - 1),
      choices_(times.seconds.size()) {
  const ByPoint nothing(last_ + 1, 0);
  Costs costs{.idle = nothing, .running = std::vector<ByPoint>(times.sizes.size(), nothing)};
  for (std::size_t epoch = times.seconds.size(); epoch-- > 0;) choices_[epoch] = compute_epoch(epoch, costs);
  cost_ = std::move(costs.idle);
}

std::vector<double> PausingRun::costs_at(std::size_t epoch, std::size_t option, double pause_s,
                                         const ByPoint& after) const {
  const std::vector<double>& paid = prices_.paid();
  const double seconds = pause_s + times_.seconds[epoch][option], gpus = times_.sizes[option];
  const GridPlace end = grid_place(seconds / prices_.grid().step_s);
  std::vector<double> costs(last_ + 1);
  for (std::size_t point = 0; point <= last_; ++point) {
    const double price = value_between(paid, point + end.point, end.part) - paid[point];
    costs[point] = seconds + gpus * price + value_between(after, point + end.point, end.part);
  }
  return costs;
}

PausingRun::Choices PausingRun::compute_epoch(std::size_t epoch, Costs& costs) const {
  Choices choices{.start = std::vector<std::uint8_t>(last_ + 1, kWait), .stays = {}};
  std::vector<double> best(last_ + 1, std::numeric_limits<double>::infinity());
  for (std::size_t option = 0; option < times_.sizes.size(); ++option) {
    const auto start = costs_at(epoch, option, pause_s_, costs.running[option]);
    for (std::size_t point = 0; point <= last_; ++point)
      if (start[point] < best[point])
        best[point] = start[point], choices.start[point] = static_cast<std::uint8_t>(option);
  }
  for (std::size_t point = last_; point-- > 0;) {
    const double wait = prices_.grid().step_s + static_cast<double>(static_cast<float>(best[point + 1]));
    if (wait < best[point] - kLeastPauseGain_s) best[point] = wait, choices.start[point] = kWait;
  }
  for (std::size_t option = 0; option < times_.sizes.size(); ++option) {
    const auto stay = costs_at(epoch, option, 0, costs.running[option]);
    choices.stays.emplace_back(last_ + 1);
    for (std::size_t point = 0; point <= last_; ++point) {
      choices.stays[option][point] = stay[point] <= best[point] ? 1 : 0;
      costs.running[option][point] = static_cast<float>(std::min(stay[point], best[point]));
    }
  }
  std::ranges::transform(best, costs.idle.begin(), [](double cost) { return static_cast<float>(cost); });
  return choices;
}

double PausingRun::cost_from(double start_s) const {
  const GridPlace start = grid_place(start_s / prices_.grid().step_s);
  return value_between(cost_, start.point, start.part);
}

void PausingRun::add_held(double start_s, std::vector<double>& held) const {
  const TimeGrid& grid = prices_.grid();
  std::uint8_t present = kWait;
  double now_s = start_s;
  for (std::size_t epoch = 0; epoch < choices_.size();) {
    const Choices& choices = choices_[epoch];
    const std::size_t point = std::min(last_, grid.nearest_point(now_s));
    const bool stays = present != kWait && choices.stays[present][point] != 0;
    if (!stays) present = choices.start[point];
    if (present == kWait) {
      now_s = static_cast<double>(point + 1) * grid.step_s;
      continue;
    }
    const std::size_t option = present;
    const double end_s = now_s + (stays ? 0 : pause_s_) + times_.seconds[epoch][option];
    grid.add_held(now_s, end_s, times_.sizes[option], held);
    now_s = end_s;
    epoch += 1;
  }
}

}  // namespace ym::sim::elastic
